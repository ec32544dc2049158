import { ThawError } from '../../../schemas/errors.ts';
import { PURPOSE, RandomStream } from '../../../simulators/random.ts';
import type { AdvantageOptions } from '../../advantages.ts';
import { bytesFromCheckpoint, checkpointFromBytes, type CheckpointArray } from '../../checkpoint.ts';
import type { CompiledGraph } from '../../executor.ts';
import {
  createOptimizerState,
  optimizerArrays,
  optimizerFromArrays,
  type OptimizerState,
} from '../../optimization/optimizer.ts';
import { scheduledValue } from '../../optimization/schedule.ts';
import { ReplayBuffer } from '../../replay/replay-buffer.ts';
import { transitionLayout } from '../../replay/transition-layout.ts';
import { jointSizeOf } from '../../rollout/joint-observer.ts';
import type {
  Actor,
  ActorOptions,
  Divergence,
  Experienced,
  ExperienceNeeds,
  Learner,
  LearnerSetup,
  PolicyDescription,
  UpdateMetrics,
} from '../contract.ts';
import { describePolicy } from '../describe-policy.ts';
import type { PolicyGraph } from '../exported-policy.ts';
import { memberKey } from '../member-key.ts';
import { explorationAt } from './epsilon-greedy.ts';
import { exportedValues } from './exported-values.ts';
import type { Objective } from './objective.ts';
import { ObservedMoments } from './observed-moments.ts';
import type { ValueParameters } from './parameters.ts';
import { moveTarget } from './target-parameters.ts';
import type { ValueDesign } from './update-graph.ts';
import { actingGraph, ValueActor } from './value-actor.ts';
import { createValueNetworks, initialValues } from './value-networks.ts';
import { ValueUpdate } from './value-update.ts';

// Letters: P parameters.

/** Learns what actions are worth from transitions that it keeps, by an objective that says of whom and to whom. */
export class ValueLearner implements Learner {
  readonly policies: readonly PolicyDescription[];
  readonly needs: ExperienceNeeds;
  readonly returns: AdvantageOptions;
  readonly replay: ReplayBuffer;
  updateIndex = 0;
  divergence: Divergence | null = null;
  private readonly setup: LearnerSetup;
  private readonly design: ValueDesign;
  private readonly moments: ObservedMoments;
  private readonly passes = new Map<string, CompiledGraph>();
  private updater: ValueUpdate | null = null;
  private optimizer: OptimizerState;
  /** Shape [P]. */
  private readonly target: Float32Array;
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
    this.moments = new ObservedMoments(this.policies, jointSize, parameters.observation_normalization);
    this.moments.takeInitial(setup);
    this.optimizer = createOptimizerState(initialValues(networks, setup));
    this.target = this.optimizer.parameters.slice();
  }

  async createActor(group: number, rowCount: number, options: ActorOptions): Promise<Actor> {
    const { networks, parameters } = this.design;
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
        inputs: () => ({ parameters: this.optimizer.parameters, ...this.moments.inputs }),
        exploration: () => explorationAt(parameters.exploration, this.progress),
      },
    );
  }

  async update(block: Experienced): Promise<UpdateMetrics> {
    const { parameters } = this.design;
    const addedCount = this.replay.add(block);
    this.moments.add(block.rollouts);
    const canLearn = addedCount > 0 && this.replay.size >= parameters.learning_starts && this.divergence === null;
    const metrics = canLearn ? await this.improve() : {};
    this.updateIndex += 1;
    return metrics;
  }

  save(): Uint8Array {
    const arrays: Record<string, CheckpointArray> = { ...optimizerArrays(this.optimizer), target: this.target };
    for (const [name, array] of Object.entries(this.moments.arrays())) arrays[`moments.${name}`] = array;
    for (const [name, array] of Object.entries(this.replay.arrays())) arrays[`replay.${name}`] = array;
    const { name: algorithm } = this.setup.parameters;
    return bytesFromCheckpoint({ header: { algorithm, updateIndex: this.updateIndex }, arrays });
  }

  load(bytes: Uint8Array): void {
    const { header, arrays } = checkpointFromBytes(bytes);
    const { name } = this.setup.parameters;
    if (header['algorithm'] !== name) {
      const found = String(header['algorithm']);
      throw new ThawError('REQUEST_CONFLICT', `a checkpoint of ${found} cannot go on as ${name}`);
    }
    const size = this.target.length;
    const optimizer = optimizerFromArrays(arrays, size, name);
    const target = optimizerFromArrays({ ...arrays, parameters: arrays['target'] }, size, name).parameters;
    const takeMoments = this.moments.prepareLoad(partOf(arrays, 'moments.'));
    this.replay.load(partOf(arrays, 'replay.'));
    takeMoments();
    this.optimizer = optimizer;
    this.target.set(target);
    this.updateIndex = Number(header['updateIndex']);
    this.divergence = null;
    this.lastFinite = {};
  }

  policyGraph(group: number): PolicyGraph {
    const { networks } = this.design;
    return exportedValues(networks.groups[group]!, this.optimizer.parameters, this.moments.ofGroup(group));
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
      const { state, metrics } = await this.updater.step(this.optimizer, this.target, random, inputs);
      for (const [name, value] of Object.entries(metrics)) {
        sums[name] = (sums[name] ?? 0) + value / parameters.updates_per_block;
      }
      const what = firstNotFinite(metrics, state.parameters);
      if (what !== null) {
        this.divergence = { optimizerStep: this.optimizer.stepCount, what, lastFinite: this.lastFinite };
        break;
      }
      this.lastFinite = metrics;
      this.optimizer = state;
      this.updater.prioritize();
      moveTarget(this.target, state.parameters, state.stepCount, parameters);
    }
    const { learningRate: learning_rate } = inputs;
    return { ...sums, learning_rate, exploration: explorationAt(parameters.exploration, this.progress) };
  }

  private stepInputs() {
    const { parameters } = this.design;
    const { learning_rate: initial, learning_rate_final: final, learning_rate_schedule: shape, warmup } = parameters;
    const { beta, beta_final: betaFinal } = parameters.replay.prioritized ?? { beta: 0, beta_final: 0 };
    return {
      learningRate: scheduledValue({ shape, initial, final, warmup }, this.progress, 1 / this.setup.updateCount),
      correction: beta + (betaFinal - beta) * Math.min(1, this.progress),
      moments: this.moments.inputs,
    };
  }
}

/** What stays of policies whose weights are taken over, by names of the networks. */
function frozenNames({ initial }: LearnerSetup): string[] {
  return initial?.flatMap((each, group) => each?.frozen.map((name) => `${group}.${name}`) ?? []) ?? [];
}

/** Arrays whose names have a beginning, without it. */
function partOf(
  arrays: Readonly<Record<string, CheckpointArray>>,
  beginning: string,
): Readonly<Record<string, CheckpointArray>> {
  const part = Object.entries(arrays).filter(([name]) => name.startsWith(beginning));
  return Object.fromEntries(part.map(([name, array]) => [name.slice(beginning.length), array]));
}

/** What is not finite after a step, by name; null where all is. @param parameters shape [P] */
function firstNotFinite(metrics: UpdateMetrics, parameters: Float32Array): string | null {
  const metric = Object.entries(metrics).find(([, value]) => !Number.isFinite(value));
  if (metric !== undefined) return metric[0];
  let sum = 0;
  for (let index = 0; index < parameters.length; index += 1) sum += parameters[index]!;
  return Number.isFinite(sum) ? null : 'parameters';
}
