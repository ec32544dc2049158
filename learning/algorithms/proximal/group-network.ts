import { PURPOSE, RandomStream } from '../../../simulators/random.ts';
import type { CheckpointArray } from '../../checkpoint.ts';
import type { CompiledGraph } from '../../executor.ts';
import type { Expression } from '../../graph/expression.ts';
import type { Applied } from '../../networks/network.ts';
import { normalizedObservations } from '../../normalization/observation-moments.ts';
import { rescaleHead, scaleFromMoments } from '../../normalization/popart.ts';
import type { PlayedSteps } from '../../normalization/reward-scales.ts';
import {
  createOptimizerState,
  optimizerArrays,
  optimizerFromArrays,
  type OptimizerState,
} from '../../optimization/optimizer.ts';
import type { Rollout } from '../../rollout/rollout-buffer.ts';
import { withInitialWeights } from '../../transfer/initial-weights.ts';
import { OBSERVATION_MEAN, OBSERVATION_SCALE, takeInitialMoments, weightsWithMoments } from '../../transfer/moments.ts';
import { chosenWeights, constantsFrom } from '../../transfer/named-weights.ts';
import type { Actor, Divergence, LearnerSetup, PolicyDescription, UpdateMetrics } from '../contract.ts';
import { exportedPolicyGraph, type PolicyGraph } from '../exported-policy.ts';
import { memberKey } from '../member-key.ts';
import {
  actorApplied,
  type ActorCritic,
  actorNames,
  createActorCritic,
  initialParameters,
  valueHeadsOf,
} from './actor-critic.ts';
import { withPresentNames } from './former-checkpoint.ts';
import { blockSequences } from './gradient-rows.ts';
import type { UpdateProblem } from './graphs.ts';
import { actingGraph, GroupActor, type PassSize } from './group-actor.ts';
import { learningSequences } from './minibatches.ts';
import { Normalizers } from './normalizers.ts';
import type { ProximalParameters } from './parameters.ts';
import { SampleBlock } from './sample-block.ts';
import { sampleColumns } from './sample-columns.ts';
import { learningRows, targetsOf } from './targets.ts';
import { ProximalUpdate, UPDATE_DIAGNOSTICS, type UpdateRates } from './update.ts';

// Letters: R rows of a forward pass, T steps of a block, C numbers that all seats see together, P parameters.

/** What one update of a group came to. */
export interface Improvement {
  /** Empty when no learner acted. */
  readonly metrics: UpdateMetrics;
  readonly divergence: Pick<Divergence, 'optimizerStep' | 'what'> | null;
}

/** The actor and the critic of one group of seats, with all that training changes in them. */
export class GroupNetwork {
  readonly policy: PolicyDescription;
  private readonly parameters: ProximalParameters;
  private readonly setup: LearnerSetup;
  private readonly network: ActorCritic;
  private readonly normalizers: Normalizers;
  private readonly passes = new Map<string, Promise<CompiledGraph>>();
  private optimizer: OptimizerState;
  private update: {
    readonly block: SampleBlock;
    readonly problem: UpdateProblem;
    readonly runner: ProximalUpdate;
  } | null = null;

  /** @param jointSize C; 0 for a critic that sees what the actor sees */
  constructor(policy: PolicyDescription, jointSize: number, parameters: ProximalParameters, setup: LearnerSetup) {
    const initial = setup.initial?.[policy.group];
    this.policy = policy;
    this.parameters = parameters;
    this.setup = setup;
    this.network = createActorCritic(policy, jointSize, parameters);
    this.normalizers = new Normalizers(policy, jointSize, parameters);
    const random = new RandomStream(memberKey(setup, PURPOSE.initialWeights, policy.group));
    const flat = initialParameters(this.network, random);
    this.optimizer = createOptimizerState(withInitialWeights(flat, this.network.layout, initial));
    takeInitialMoments(this.normalizers.observations, initial);
  }

  /** Compiled passes are kept, because compiling one costs as much as playing many steps. */
  async createActor(size: PassSize): Promise<Actor> {
    const { network, normalizers, policy, parameters, passes } = this;
    const name = `${size.rowCount} ${size.environmentCount} ${size.values}`;
    const pass =
      passes.get(name) ?? this.setup.executor.compile(actingGraph(network, size, parameters.observation_normalization));
    passes.set(name, pass);
    const current = { parameters: () => this.optimizer.parameters, normalizers };
    return new GroupActor(await pass, policy, network.jointSize, size, current);
  }

  /**
   * One update block. Stops at the first number that is not finite.
   * @param updateIndex blocks done before, which keys the order of the samples
   */
  async improve(played: PlayedSteps, updateIndex: number, rates: UpdateRates): Promise<Improvement> {
    const rows = learningRows(played.rollout);
    if (rows.length === 0) return { metrics: {}, divergence: null };
    const { block, problem, runner } = await this.updateFor(played.rollout);
    const explained = this.fillBlock(played, rows, block);
    const firstStep = this.optimizer.stepCount;
    const { sequenceSteps } = problem.block;
    // Without a memory a sequence is a sample.
    const order = sequenceSteps === 1 ? rows : learningSequences(played.rollout, sequenceSteps);
    const random = new RandomStream(memberKey(this.setup, PURPOSE.minibatchOrder, updateIndex, this.policy.group));
    const arrays = { ...block.arrays, ...this.normalizers.inputs };
    const totals = new Float64Array(UPDATE_DIAGNOSTICS.length);
    let stepCount = 0;
    let wrong: string | null = null;
    for (let epoch = 0; epoch < this.parameters.epochs && wrong === null; epoch += 1) {
      random.shuffle(order);
      const count = runner.minibatches.fill(order, played.rollout);
      const { state, sums, finiteSteps } = await runner.steps(count, this.optimizer, arrays, rates);
      sums.forEach((value, at) => (totals[at]! += value));
      stepCount += Math.min(count, finiteSteps + 1);
      if (finiteSteps < count) wrong = UPDATE_DIAGNOSTICS[sums.findIndex((value) => !Number.isFinite(value))]!;
      this.optimizer = state;
    }
    const means = UPDATE_DIAGNOSTICS.map((name, at) => [name, totals[at]! / stepCount]);
    const what = wrong ?? (this.optimizer.parameters.every(Number.isFinite) ? null : 'parameters');
    return {
      metrics: { ...(Object.fromEntries(means) as Record<string, number>), explained_variance: explained },
      divergence: what === null ? null : { optimizerStep: firstStep + stepCount - 1, what },
    };
  }

  /**
   * The policy alone with its weights inside. What it remembers is the actor's part of what an actor of ours carries: of
   * `policy.memorySize` numbers the first half.
   */
  policyGraph(): PolicyGraph {
    const { network, normalizers, policy } = this;
    const own = chosenWeights({ layout: network.layout, values: this.optimizer.parameters }, actorNames(network));
    const { observations } = normalizers;
    const weights = observations === null ? own : weightsWithMoments(own, observations);
    const parameters = constantsFrom(weights);
    const apply = (x: Expression, memory: Expression | null): Applied => {
      const [mean, scale] = [parameters[OBSERVATION_MEAN], parameters[OBSERVATION_SCALE]];
      const seen = mean && scale ? normalizedObservations(x, mean, scale) : x;
      return actorApplied(network, parameters, seen, (each, rows) => each.apply(rows, parameters, memory));
    };
    return exportedPolicyGraph({ ...policy, memorySize: network.memorySize }, apply, weights);
  }

  arrays(): Record<string, CheckpointArray> {
    return { ...optimizerArrays(this.optimizer), ...this.normalizers.arrays() };
  }

  /**
   * @returns what takes them up, once everything else has been found to fit, too
   * @throws REQUEST_CONFLICT when they are those of other networks
   */
  reader(arrays: Readonly<Record<string, CheckpointArray | undefined>>): () => void {
    const present = withPresentNames(arrays);
    const optimizer = optimizerFromArrays(present, this.network.parameterCount, `group ${this.policy.group}`);
    const readNormalizers = this.normalizers.reader(present);
    return () => {
      this.optimizer = optimizer;
      readNormalizers();
    };
  }

  async release(): Promise<void> {
    await this.update?.runner.release();
    for (const pass of this.passes.values()) await (await pass).release();
    this.passes.clear();
  }

  /** The update is compiled for one size of block; a pool with other partners may have the policy act for other seats. */
  private async updateFor(rollout: Rollout): Promise<NonNullable<typeof this.update>> {
    const { stepCount, rowCount, seats } = rollout;
    const sampleCount = stepCount * rowCount;
    const jointCount = this.network.jointSize === 0 ? 0 : sampleCount / seats.length;
    const known = this.update?.problem.block;
    if (known?.sampleCount === sampleCount && known.jointCount === jointCount) return this.update!;
    await this.update?.runner.release();
    this.update = null;
    const block = { sampleCount, jointCount, ...blockSequences(this.parameters, stepCount, rowCount) };
    const problem = this.problemOf(block);
    const runner = await ProximalUpdate.create(this.setup.executor, problem, this.setup.chunkRows);
    this.update = { block: new SampleBlock(problem), problem, runner };
    return this.update;
  }

  private problemOf(block: UpdateProblem['block']): UpdateProblem {
    const { network, policy, parameters, setup } = this;
    const { optimizer: kind, adam_epsilon: adamEpsilon, momentum, gradient_clip: gradientClip } = parameters;
    const frozen = setup.initial?.[policy.group]?.frozen ?? [];
    const optimizer = { kind, adamEpsilon, momentum, gradientClip, frozen };
    return { network, columns: sampleColumns(policy, parameters), parameters, optimizer, block };
  }

  /**
   * Packs a rollout for the update: value targets in the critic's scale, which moves first, as the moments of what is
   * observed do.
   * @param rows indices of the samples of learners
   * @returns the share of the targets' variance that the critic had explained
   */
  private fillBlock(played: PlayedSteps, rows: Int32Array, block: SampleBlock): number {
    const { normalizers, parameters } = this;
    const targets = targetsOf(played, rows, normalizers.rewards, parameters, block.advantages);
    normalizers.observe(played, rows);
    if (parameters.value_normalization === 'popart') this.moveValues(targets.values);
    block.fill(played.rollout, targets, scaleFromMoments(normalizers.values));
    return targets.explained;
  }

  /** The critic's head is rewritten so that it predicts what it did; targets that are not finite must not ruin it. */
  private moveValues(targets: Float32Array): void {
    const { normalizers, network, optimizer } = this;
    const before = scaleFromMoments(normalizers.values);
    if (!normalizers.moveValues(targets)) return;
    const after = scaleFromMoments(normalizers.values);
    for (const { weight, bias } of valueHeadsOf(network, optimizer.parameters))
      rescaleHead(weight, bias, before, after);
  }
}
