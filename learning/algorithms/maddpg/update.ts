import { PURPOSE, RandomStream } from '../../../simulators/random.ts';
import { scheduledValue } from '../../optimization/schedule.ts';
import type { ReplayBuffer, ReplayMinibatch } from '../../replay/replay-buffer.ts';
import type { Divergence, Experienced, LearnerSetup, UpdateMetrics } from '../contract.ts';
import { memberKey } from '../member-key.ts';
import type { ActorUpdateOptions } from './actor-graph.ts';
import { GroupLearner, type SharedInputs, type StepReport } from './group-learner.ts';
import type { MaddpgNetworks } from './networks.ts';
import type { MaddpgParameters } from './parameters.ts';

// Letters: M transitions of a minibatch, K numbers of a transition.

interface Runner {
  readonly learners: readonly GroupLearner[];
  readonly minibatch: ReplayMinibatch;
  /** Shape [M]: errors of all groups' critics. */
  readonly errors: Float32Array;
}

/** Improves all networks with replayed transitions. */
export class MaddpgUpdate {
  private readonly setup: LearnerSetup;
  private readonly parameters: MaddpgParameters;
  private readonly networks: MaddpgNetworks;
  private readonly replay: ReplayBuffer;
  private runner: Runner | null = null;
  private lastFinite: UpdateMetrics = {};
  private diverged: Divergence | null = null;

  constructor(setup: LearnerSetup, networks: MaddpgNetworks, replay: ReplayBuffer) {
    this.setup = setup;
    this.parameters = setup.parameters as MaddpgParameters;
    this.networks = networks;
    this.replay = replay;
  }

  get divergence(): Divergence | null {
    return this.diverged;
  }

  /** Another state of the networks was loaded. */
  forgetDivergence(): void {
    this.diverged = null;
    this.lastFinite = {};
  }

  /** Takes in a block, and does its optimizer steps. @returns means over them; empty where nobody learns from it */
  async improve(experienced: Experienced, updateIndex: number): Promise<UpdateMetrics> {
    const addedCount = this.replay.add(this.networks.rewards?.scaled(experienced) ?? experienced);
    this.networks.moments?.add(experienced.rollouts);
    if (addedCount === 0 || this.diverged !== null) return {};
    this.runner ??= await this.createRunner();
    const samples = new RandomStream(memberKey(this.setup, PURPOSE.replaySampling, updateIndex));
    const actions = new RandomStream(memberKey(this.setup, PURPOSE.gumbel, updateIndex));
    const { updates_per_block: stepCount } = this.parameters;
    const reports: StepReport[] = [];
    for (let step = 0; step < stepCount && this.diverged === null; step += 1) {
      this.replay.sample(samples, this.runner.minibatch, this.correctionAt(updateIndex));
      reports.push(await this.step(this.runner, updateIndex, actions));
      this.replay.prioritize(this.runner.minibatch.slots, this.runner.errors);
    }
    this.checkParameters();
    return this.metricsOf(reports, updateIndex);
  }

  async release(): Promise<void> {
    await Promise.all((this.runner?.learners ?? []).map((learner) => learner.release()));
  }

  private async step(
    { learners, minibatch, errors }: Runner,
    updateIndex: number,
    random: RandomStream,
  ): Promise<StepReport> {
    const { transitions, weights } = minibatch;
    const shared: SharedInputs = {
      arrays: { transitions, weights, ...this.networks.moments?.inputs() },
      learningRate: this.rateAt(this.parameters.learning_rate, updateIndex),
      criticLearningRate: this.rateAt(this.parameters.critic_learning_rate, updateIndex),
    };
    const report: Record<string, number> = {};
    errors.fill(0);
    for (const [index, learner] of learners.entries()) {
      const { group } = this.networks.learning[index]!.group.policy;
      const prefix = this.networks.policies.length === 1 ? '' : `group${group}.`;
      await learner.step(shared, random, (measured) => this.accept(measured, prefix, report));
      if (this.diverged !== null) break;
      learner.errors.forEach((error, row) => (errors[row]! += error));
    }
    if (this.diverged === null) this.lastFinite = report;
    return report;
  }

  /** Notes what a step measured, unless a number of it is not finite. @returns whether the step takes effect */
  private accept(measured: StepReport, prefix: string, report: Record<string, number>): boolean {
    // Of targets that are all alike nothing can be explained, which says nothing about the weights.
    const bad = Object.entries(measured).find(
      ([name, value]) => name !== 'explained_variance' && !Number.isFinite(value),
    );
    if (bad !== undefined) this.diverge(`${prefix}${bad[0]}`);
    else for (const [name, value] of Object.entries(measured)) report[`${prefix}${name}`] = value;
    return bad === undefined;
  }

  private checkParameters(): void {
    if (this.diverged !== null) return;
    const all = this.networks.learning.flatMap(({ actor, critics }) => [actor, critics]);
    if (!all.every(({ newest }) => newest.every(Number.isFinite))) this.diverge('parameters');
  }

  private diverge(what: string): void {
    // Groups step one after the other: the steps that are done are those that all have done.
    const optimizerStep = Math.min(...this.networks.learning.map(({ actor }) => actor.stepCount));
    this.diverged = { optimizerStep, what, lastFinite: this.lastFinite };
  }

  private metricsOf(reports: readonly StepReport[], updateIndex: number): UpdateMetrics {
    const names = Object.keys(reports[0] ?? {});
    const meanOf = (name: string): number =>
      reports.reduce((sum, report) => sum + (report[name] ?? NaN), 0) / reports.length;
    return {
      ...Object.fromEntries(names.map((name) => [name, meanOf(name)])),
      learning_rate: this.rateAt(this.parameters.learning_rate, updateIndex),
      exploration: this.networks.explorationAt(updateIndex),
    };
  }

  /** A step size under the schedule that all share. @param rate where it starts */
  private rateAt(rate: number, updateIndex: number): number {
    const { learning_rate_schedule: shape, learning_rate_final: last, learning_rate: first, warmup } = this.parameters;
    const { updateCount } = this.setup;
    const final = (rate * last) / first;
    return scheduledValue({ shape, initial: rate, final, warmup }, updateIndex / updateCount, 1 / updateCount);
  }

  /** How far weights make up for priorities. */
  private correctionAt(updateIndex: number): number {
    const { prioritized } = this.parameters.replay;
    if (prioritized === null) return 0;
    const { beta: initial, beta_final: final } = prioritized;
    return scheduledValue({ shape: 'linear', initial, final, warmup: 0 }, updateIndex / this.setup.updateCount);
  }

  private async createRunner(): Promise<Runner> {
    const { layout, learning, moments } = this.networks;
    const {
      minibatch_size: rowCount,
      target_tau: targetTau,
      parameters,
    } = { ...this.parameters, parameters: this.parameters };
    const options = (frozen: readonly string[]): ActorUpdateOptions => ({
      layout,
      groups: learning.map(({ group }) => group),
      rowCount,
      isNormalized: moments !== null,
      targetTau,
      temperature: parameters.gumbel_temperature,
      regularization: parameters.logit_regularization,
      optimizer: {
        kind: parameters.optimizer,
        adamEpsilon: parameters.adam_epsilon,
        momentum: parameters.momentum,
        gradientClip: parameters.gradient_clip,
        frozen,
      },
    });
    const learners = [];
    for (const own of learning) {
      const frozen = this.setup.initial?.[own.group.policy.group]?.frozen ?? [];
      learners.push(await GroupLearner.create(own, learning, this.setup.executor, options(frozen)));
    }
    return {
      learners,
      minibatch: {
        transitions: new Float32Array(rowCount * layout.width),
        weights: new Float32Array(rowCount),
        slots: new Int32Array(rowCount),
      },
      errors: new Float32Array(rowCount),
    };
  }
}
