import { ThawError } from '../../schemas/errors.ts';
import { PURPOSE, RandomStream } from '../../simulators/random.ts';
import { fillAdvantages } from '../advantages.ts';
import type { CheckpointArray } from '../checkpoint.ts';
import type { CompiledGraph, Executor } from '../executor.ts';
import type { Graph } from '../graph/expression.ts';
import { graphFromOutputs } from '../graph/graph.ts';
import { constant, input } from '../graph/operators.ts';
import {
  INITIAL_MOMENTS,
  rescaleHead,
  scaleFromMoments,
  updatedMoments,
  type ValueMoments,
} from '../normalization/popart.ts';
import { actionHead } from '../rollout/action-head.ts';
import type { Rollout } from '../rollout/rollout-buffer.ts';
import {
  actorLogits,
  createActorCritic,
  criticValues,
  initialParameters,
  valueHead,
  type ActorCritic,
} from './actor-critic.ts';
import type { Actor, ActorOptions, LearnerSetup, PolicyDescription, UpdateMetrics } from './contract.ts';
import { exportedPolicyGraph } from './exported-policy.ts';
import type { IppoParameters } from './ippo-parameters.ts';
import { memberKey } from './member-key.ts';
import { COLUMN_ADVANTAGE, COLUMN_LOG_PROBABILITY, COLUMN_VALUE_TARGET, SAMPLE_COLUMNS } from './ppo-graphs.ts';
import {
  createOptimizerState,
  PpoUpdate,
  UPDATE_DIAGNOSTICS,
  type OptimizerState,
  type SampleBlock,
} from './ppo-update.ts';

// Letters: S samples of a block, R rows of a forward pass, I input features, A actions, P parameters.

/** Numbers of a checkpoint beside the vectors: steps of the optimizer, and three moments of the value targets. */
const SCALAR_COUNT = 4;

/** The actor and the critic of one group of seats, with all that training changes in them. */
export class PpoNetwork {
  readonly policy: PolicyDescription;
  private readonly parameters: IppoParameters;
  private readonly executor: Executor;
  private readonly network: ActorCritic;
  private readonly setup: Pick<LearnerSetup, 'seed' | 'memberIndex' | 'chunkRows'>;
  private readonly actors = new Map<string, NetworkActor>();
  private optimizer: OptimizerState;
  private moments: ValueMoments = INITIAL_MOMENTS;
  private update: {
    readonly block: SampleBlock;
    readonly advantages: Float32Array;
    readonly runner: PpoUpdate;
  } | null = null;

  constructor(
    policy: PolicyDescription,
    parameters: IppoParameters,
    executor: Executor,
    setup: Pick<LearnerSetup, 'seed' | 'memberIndex' | 'chunkRows'>,
  ) {
    this.policy = policy;
    this.parameters = parameters;
    this.executor = executor;
    this.setup = setup;
    this.network = createActorCritic({
      inputSize: policy.inputSize,
      actionCount: actionHead(policy.actions).outputSize,
      hiddenSizes: parameters.hidden_sizes,
      activation: parameters.activation,
    });
    const random = new RandomStream(memberKey(setup, PURPOSE.initialWeights, policy.group));
    this.optimizer = createOptimizerState(initialParameters(this.network, random));
  }

  /** Actors are kept, because building one costs as much as playing many steps. */
  async createActor(rowCount: number, { values }: Pick<ActorOptions, 'values'>): Promise<Actor> {
    const name = `${rowCount} ${values}`;
    const known = this.actors.get(name);
    if (known !== undefined) return known;
    const flat = input('parameters', [this.network.parameterCount]);
    const x = input('inputs', [rowCount, this.policy.inputSize]);
    const graph = graphFromOutputs({
      logits: actorLogits(this.network, flat, x),
      ...(values && { values: criticValues(this.network, flat, x) }),
    });
    const actor = new NetworkActor(await this.executor.compile(graph), this.policy, rowCount, values, () => ({
      parameters: this.optimizer.parameters,
      moments: this.moments,
    }));
    this.actors.set(name, actor);
    return actor;
  }

  /**
   * One update block.
   * @param updateIndex blocks done before, which keys the order of the samples
   * @returns means over all minibatches; empty when no learner acted
   */
  async improve(rollout: Rollout, updateIndex: number, learningRate: number): Promise<UpdateMetrics> {
    const rows = learningRows(rollout);
    if (rows.length === 0) return {};
    const { block, advantages, runner } = await this.updateFor(rollout);
    fillAdvantages(rollout, this.parameters, advantages);
    const explained = this.fillSamples(rollout, rows, advantages, block);
    const random = new RandomStream(memberKey(this.setup, PURPOSE.minibatchOrder, updateIndex, this.policy.group));
    const sums = new Float64Array(UPDATE_DIAGNOSTICS.length);
    const minibatchCount = Math.ceil(rows.length / this.parameters.minibatch_size);
    for (let epoch = 0; epoch < this.parameters.epochs; epoch += 1) {
      random.shuffle(rows);
      for (let index = 0; index < minibatchCount; index += 1) {
        const minibatch = rows.subarray(
          share(rows.length, index, minibatchCount),
          share(rows.length, index + 1, minibatchCount),
        );
        const { state, diagnostics } = await runner.step(this.optimizer, minibatch, learningRate);
        this.optimizer = state;
        diagnostics.forEach((value, at) => (sums[at]! += value));
      }
    }
    const stepCount = minibatchCount * this.parameters.epochs;
    return {
      ...Object.fromEntries(UPDATE_DIAGNOSTICS.map((name, at) => [name, sums[at]! / stepCount])),
      explained_variance: explained,
      learning_rate: learningRate,
    };
  }

  /** The policy alone with its weights inside. */
  policyGraph(): Graph {
    const flat = constant(this.optimizer.parameters, [this.network.parameterCount]);
    return exportedPolicyGraph(this.policy, (x) => ({ outputs: actorLogits(this.network, flat, x), memory: null }));
  }

  isFinite(): boolean {
    return this.optimizer.parameters.every(Number.isFinite);
  }

  arrays(): Record<string, Float32Array | Float64Array> {
    const { parameters, firstMoment, secondMoment, stepCount } = this.optimizer;
    const { mean, meanOfSquares, weight } = this.moments;
    return { parameters, firstMoment, secondMoment, scalars: Float64Array.of(stepCount, mean, meanOfSquares, weight) };
  }

  load(arrays: Readonly<Record<string, CheckpointArray | undefined>>): void {
    const { parameterCount } = this.network;
    const array = (name: string, length: number): CheckpointArray => {
      const found = arrays[name];
      if (found?.length === length) return found;
      throw new ThawError(
        'REQUEST_CONFLICT',
        `the checkpoint holds ${found?.length ?? 'no'} ${name} for group ${this.policy.group}, the network has ${length}`,
      );
    };
    const vector = (name: string): Float32Array => Float32Array.from(array(name, parameterCount));
    const [stepCount, mean, meanOfSquares, weight] = array('scalars', SCALAR_COUNT);
    this.optimizer = {
      parameters: vector('parameters'),
      firstMoment: vector('firstMoment'),
      secondMoment: vector('secondMoment'),
      stepCount: stepCount!,
    };
    this.moments = { mean: mean!, meanOfSquares: meanOfSquares!, weight: weight! };
  }

  async release(): Promise<void> {
    await this.update?.runner.release();
    await Promise.all([...this.actors.values()].map((actor) => actor.release()));
    this.actors.clear();
  }

  /** The update is compiled for one size of block; a pool with other partners may have the policy act for other seats. */
  private async updateFor(rollout: Rollout): Promise<NonNullable<typeof this.update>> {
    if (this.update?.block.actions.length === rollout.actions.length) return this.update;
    await this.update?.runner.release();
    this.update = null;
    this.update = await this.createUpdate(rollout);
    return this.update;
  }

  private async createUpdate(rollout: Rollout): Promise<NonNullable<typeof this.update>> {
    const sampleCount = rollout.actions.length;
    const block: SampleBlock = {
      inputs: new Float32Array(rollout.inputs.length),
      actions: new Int32Array(sampleCount),
      samples: new Float32Array(sampleCount * SAMPLE_COLUMNS),
    };
    const { chunkRows } = this.setup;
    const runner = await PpoUpdate.create(this.executor, this.network, this.parameters, { block, chunkRows });
    return { block, advantages: new Float32Array(sampleCount), runner };
  }

  /**
   * Packs a rollout for the update graph: advantages normalised over the learners' samples, value targets in the
   * critic's scale, which moves first.
   * @returns the share of the targets' variance that the critic had explained
   */
  private fillSamples(rollout: Rollout, rows: Int32Array, advantages: Float32Array, block: SampleBlock): number {
    const chosen = Float32Array.from(rows, (row) => advantages[row]!);
    const targets = Float32Array.from(rows, (row) => advantages[row]! + rollout.values[row]!);
    const advantage = this.parameters.normalize_advantages ? momentsOf(chosen) : { mean: 0, std: 1 };
    if (this.parameters.value_normalization === 'popart') this.moveScale(targets);
    const scale = scaleFromMoments(this.moments);
    block.inputs.set(rollout.inputs);
    block.actions.set(rollout.actions);
    rows.forEach((row, index) => {
      const offset = row * SAMPLE_COLUMNS;
      block.samples[offset + COLUMN_ADVANTAGE] = (chosen[index]! - advantage.mean) / (advantage.std + 1e-8);
      block.samples[offset + COLUMN_VALUE_TARGET] = (targets[index]! - scale.mean) / scale.std;
      block.samples[offset + COLUMN_LOG_PROBABILITY] = rollout.logProbabilities[row]!;
    });
    return 1 - (momentsOf(chosen).std / momentsOf(targets).std) ** 2;
  }

  private moveScale(targets: Float32Array): void {
    const before = scaleFromMoments(this.moments);
    this.moments = updatedMoments(this.moments, targets);
    const { weight, bias } = valueHead(this.network, this.optimizer.parameters);
    rescaleHead(weight, bias, before, scaleFromMoments(this.moments));
  }
}

/** A compiled forward pass that reads whatever weights its network has now. */
class NetworkActor implements Actor {
  readonly rowCount: number;
  readonly inputs: Float32Array;
  readonly masks: Uint8Array | null;
  readonly joint = null;
  readonly memory = null;
  readonly logits: Float32Array;
  readonly values: Float32Array | null;
  private readonly graph: CompiledGraph;
  private readonly current: () => { parameters: Float32Array; moments: ValueMoments };

  constructor(
    graph: CompiledGraph,
    policy: PolicyDescription,
    rowCount: number,
    values: boolean,
    current: () => { parameters: Float32Array; moments: ValueMoments },
  ) {
    this.graph = graph;
    this.rowCount = rowCount;
    this.inputs = new Float32Array(rowCount * policy.inputSize);
    const { outputSize } = actionHead(policy.actions);
    this.masks = policy.isMasked ? new Uint8Array(rowCount * outputSize) : null;
    this.logits = new Float32Array(rowCount * outputSize);
    this.values = values ? new Float32Array(rowCount) : null;
    this.current = current;
  }

  async forward(): Promise<void> {
    const { parameters, moments } = this.current();
    const { inputs, logits, values } = this;
    await this.graph.run({ parameters, inputs }, { logits, ...(values !== null && { values }) });
    this.masks?.forEach((mask, index) => {
      if (mask === 0) logits[index] = -Infinity;
    });
    if (values === null) return;
    const { mean, std } = scaleFromMoments(moments);
    for (let row = 0; row < values.length; row += 1) values[row] = mean + std * values[row]!;
  }

  release(): Promise<void> {
    return this.graph.release();
  }
}

/** First index of the k-th of n nearly equal parts of a list. */
const share = (length: number, part: number, partCount: number): number => Math.floor((length * part) / partCount);

function learningRows(rollout: Rollout): Int32Array {
  const rows = new Int32Array(rollout.learning.length);
  let count = 0;
  for (let row = 0; row < rows.length; row += 1) if (rollout.learning[row] === 1) rows[count++] = row;
  return rows.subarray(0, count);
}

function momentsOf(values: Float32Array): { mean: number; std: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, std: Math.sqrt(squares / values.length) };
}
