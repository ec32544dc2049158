import { ThawError } from '../../../schemas/errors.ts';
import { PURPOSE, RandomStream } from '../../../simulators/random.ts';
import type { AdvantageOptions } from '../../advantages.ts';
import { bytesFromCheckpoint, checkpointFromBytes, partOf, prefixed } from '../../checkpoint.ts';
import type { CompiledGraph } from '../../executor.ts';
import { BlockRewards } from '../../normalization/block-rewards.ts';
import { scheduledValue } from '../../optimization/schedule.ts';
import { ReplayBuffer } from '../../replay/replay-buffer.ts';
import { transitionLayout } from '../../replay/transition-layout.ts';
import { jointSizeOf } from '../../rollout/joint-observer.ts';
import type { ExperienceNeeds } from '../../rollout/rollout-buffer.ts';
import type {
  Actor,
  ActorOptions,
  Divergence,
  Experienced,
  Learner,
  LearnerSetup,
  PolicyDescription,
  UpdateMetrics,
} from '../contract.ts';
import { settingAt } from '../settings/schedule-settings.ts';
import { describePolicy } from '../describe-policy.ts';
import type { PolicyGraph } from '../exported-policy.ts';
import { memberKey } from '../member-key.ts';
import { exportedValues } from './exported-values.ts';
import type { Objective } from './objective.ts';
import { ObservedMoments } from './observed-moments.ts';
import type { ValueParameters } from './parameters.ts';
import type { ValueDesign } from './update-graph.ts';
import { actingGraph, ValueActor } from './value-actor.ts';
import { createValueNetworks, initialValues } from './value-networks.ts';
import { ValueState } from './value-state.ts';
import { ValueUpdate } from './value-update.ts';

// Letters: P parameters.

/** Learns what actions are worth from transitions that it keeps, by an objective that says of whom and to whom. */
export class ValueLearner implements Learner {
  readonly policies: readonly PolicyDescription[];
  readonly needs: ExperienceNeeds;
  readonly returns: AdvantageOptions;
  readonly replay: ReplayBuffer;
  /** Null where rewards are kept as they are. */
  private readonly rewards: BlockRewards | null;
  updateIndex = 0;
  divergence: Divergence | null = null;
  private readonly setup: LearnerSetup;
  private readonly design: ValueDesign;
  private readonly state: ValueState;
  private readonly passes = new Map<string, CompiledGraph>();
  private updater: ValueUpdate | null = null;
  private lastFinite: UpdateMetrics = {};

  constructor(objective: Objective, setup: LearnerSetup) {
    const { world, learners } = setup;
    const parameters = setup.parameters as ValueParameters;
    const jointSize = objective.isJoint ? jointSizeOf(world) : 0;
    this.setup = setup;
    this.policies = world.groups.map((_, group) => describePolicy(world, group, learners, parameters));
    this.needs = { values: false, nextInputs: true, joint: objective.isJoint };
    // A transition is judged by what follows it alone.
    this.returns = { gamma: parameters.gamma, lambda: 0 };
    const groups = this.policies.map(({ group }) => group);
    this.rewards = parameters.reward_normalization ? new BlockRewards(groups, parameters.gamma) : null;
    const networks = createValueNetworks(this.policies, parameters, objective.shared);
    const transitions = transitionLayout(world, this.policies, { learners, joint: objective.isJoint });
    this.design = { networks, transitions, objective, parameters, frozen: frozenNames(setup) };
    this.replay = new ReplayBuffer({
      layout: transitions,
      settings: parameters.replay,
      steps: parameters.n_step,
      gamma: parameters.gamma,
      updateIndex: () => this.updateIndex,
    });
    const moments = new ObservedMoments(this.policies, jointSize, parameters.observation_normalization);
    moments.takeInitial(setup);
    this.state = new ValueState(initialValues(networks, setup), moments);
  }

  async createActor(group: number, rowCount: number, options: ActorOptions): Promise<Actor> {
    const { networks, transitions, parameters } = this.design;
    const network = networks.groups[group]!;
    const name = `${group} ${rowCount}`;
    const pass =
      this.passes.get(name) ??
      (await this.setup.executor.compile(actingGraph(networks, network, rowCount, parameters)));
    this.passes.set(name, pass);
    return new ValueActor(
      pass,
      network,
      { ...options, rowCount },
      {
        inputs: () => ({ parameters: this.state.optimizer.parameters, ...this.state.moments.inputs }),
        exploration: () => settingAt(parameters.exploration, this.progress),
        unit: () => this.rewards?.unitOf(group) ?? 1,
        jointSize: transitions.joint?.length ?? 0,
      },
    );
  }

  async update(block: Experienced): Promise<UpdateMetrics> {
    const { parameters } = this.design;
    const addedCount = this.replay.add(this.rewards?.scaled(block) ?? block);
    this.state.moments.add(block.rollouts);
    const canLearn = addedCount > 0 && this.replay.size >= parameters.learning_starts && this.divergence === null;
    const metrics = canLearn ? await this.improve() : {};
    this.updateIndex += 1;
    return addedCount === 0 ? metrics : { ...metrics, entropy: meanSurprise(block) };
  }

  save(): Uint8Array {
    const { name: algorithm } = this.setup.parameters;
    const arrays = {
      ...this.state.arrays(),
      ...prefixed('replay', this.replay.arrays()),
      ...prefixed('rewards', this.rewards?.arrays()),
    };
    return bytesFromCheckpoint({ header: { algorithm, updateIndex: this.updateIndex }, arrays });
  }

  load(bytes: Uint8Array): void {
    const { header, arrays } = checkpointFromBytes(bytes);
    const { name } = this.setup.parameters;
    if (header['algorithm'] !== name) {
      const found = String(header['algorithm']);
      throw new ThawError('REQUEST_CONFLICT', `a checkpoint of ${found} cannot go on as ${name}`);
    }
    const takeState = this.state.prepareLoad(arrays, name);
    const takeRewards = this.rewards?.reader(partOf(arrays, 'rewards.'));
    this.replay.load(partOf(arrays, 'replay.'));
    takeState();
    takeRewards?.();
    this.updateIndex = Number(header['updateIndex']);
    this.divergence = null;
    this.lastFinite = {};
  }

  policyGraph(group: number): PolicyGraph {
    const { networks } = this.design;
    const { optimizer, moments } = this.state;
    return exportedValues(networks.groups[group]!, optimizer.parameters, moments.ofGroup(group));
  }

  async release(): Promise<void> {
    await this.updater?.release();
    await Promise.all([...this.passes.values()].map((pass) => pass.release()));
    this.passes.clear();
    this.updater = null;
  }

  /** Share of the run that is done. */
  private get progress(): number {
    return this.updateIndex / this.setup.updateCount;
  }

  /** @returns means over the optimizer steps of this block */
  private async improve(): Promise<UpdateMetrics> {
    const { parameters } = this.design;
    const inputs = this.stepInputs();
    const random = new RandomStream(memberKey(this.setup, PURPOSE.replaySampling, this.updateIndex));
    this.updater ??= await ValueUpdate.create(this.setup.executor, this.replay, this.design);
    const sums: Record<string, number> = {};
    for (let step = 0; step < parameters.updates_per_block; step += 1) {
      const { optimizer, target } = this.state;
      const { state: next, metrics } = await this.updater.step(optimizer, target, random, inputs);
      for (const [name, value] of Object.entries(metrics)) {
        sums[name] = (sums[name] ?? 0) + value / parameters.updates_per_block;
      }
      const what = firstNotFinite(metrics, next.parameters);
      if (what !== null) {
        this.divergence = { optimizerStep: optimizer.stepCount, what, lastFinite: this.lastFinite };
        break;
      }
      this.lastFinite = metrics;
      this.state.advance(next, parameters);
      this.updater.prioritize();
    }
    const { learningRate: learning_rate } = inputs;
    return { ...sums, learning_rate, exploration: settingAt(parameters.exploration, this.progress) };
  }

  private stepInputs() {
    const { parameters } = this.design;
    const { learning_rate: initial, learning_rate_final: final, learning_rate_schedule: shape, warmup } = parameters;
    const { beta, beta_final: betaFinal } = parameters.replay.prioritized ?? { beta: 0, beta_final: 0 };
    return {
      learningRate: scheduledValue({ shape, initial, final, warmup }, this.progress, 1 / this.setup.updateCount),
      correction: beta + (betaFinal - beta) * Math.min(1, this.progress),
      moments: this.state.moments.inputs,
    };
  }
}

/** −log of the probability of what learners did, mean: an estimate of the entropy of how they act in training, in nats. */
function meanSurprise({ rollouts }: Experienced): number {
  let [sum, count] = [0, 0];
  for (const { learning, logProbabilities } of rollouts) {
    learning.forEach((is, row) => {
      if (is === 0) return;
      sum -= logProbabilities[row]!;
      count += 1;
    });
  }
  return sum / count;
}

/** What stays of policies whose weights are taken over, by names of the networks. */
function frozenNames({ initial }: LearnerSetup): string[] {
  return initial?.flatMap((each, group) => each?.frozen.map((name) => `${group}.${name}`) ?? []) ?? [];
}

/** What is not finite after a step, by name; null where all is. @param parameters shape [P] */
function firstNotFinite(metrics: UpdateMetrics, parameters: Float32Array): string | null {
  const metric = Object.entries(metrics).find(([, value]) => !Number.isFinite(value));
  if (metric !== undefined) return metric[0];
  let sum = 0;
  for (let index = 0; index < parameters.length; index += 1) sum += parameters[index]!;
  return Number.isFinite(sum) ? null : 'parameters';
}
