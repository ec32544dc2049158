import type { RandomStream } from '../../../simulators/random.ts';
import type { CompiledGraph, Executor, NamedArrays } from '../../executor.ts';
import { OptimizerBuffers, type OptimizerState } from '../../optimization/optimizer.ts';
import type { ReplayBuffer, ReplayMinibatch } from '../../replay/replay-buffer.ts';
import type { UpdateMetrics } from '../contract.ts';
import { VALUE_DIAGNOSTICS } from './loss.ts';
import { type ValueDesign, valueUpdateGraph } from './update-graph.ts';

// Letters: M transitions of a minibatch, D diagnostics.

/** What a step is given beside the minibatch. */
export interface StepInputs {
  readonly learningRate: number;
  /** β of prioritised replay. */
  readonly correction: number;
  readonly moments: NamedArrays;
}

/** Runs optimizer steps on minibatches that it draws. */
export class ValueUpdate {
  private readonly graph: CompiledGraph;
  private readonly buffers: OptimizerBuffers;
  private readonly replay: ReplayBuffer;
  private readonly minibatch: ReplayMinibatch;
  private readonly diagnostics = new Float32Array(VALUE_DIAGNOSTICS.length + 1);
  /** Shape [M]; null where nobody asks for them. */
  private readonly errors: Float32Array | null;

  private constructor(graph: CompiledGraph, replay: ReplayBuffer, { networks, transitions, parameters }: ValueDesign) {
    const { minibatch_size: rowCount, replay: settings, optimizer: kind, adam_epsilon: adamEpsilon } = parameters;
    this.graph = graph;
    this.replay = replay;
    this.buffers = new OptimizerBuffers(networks.parameterCount, { kind, adamEpsilon });
    this.minibatch = {
      transitions: new Float32Array(rowCount * transitions.width),
      weights: new Float32Array(rowCount),
      slots: new Int32Array(rowCount),
    };
    this.errors = settings.prioritized === null ? null : new Float32Array(rowCount);
  }

  static async create(executor: Executor, replay: ReplayBuffer, design: ValueDesign): Promise<ValueUpdate> {
    return new ValueUpdate(await executor.compile(valueUpdateGraph(design)), replay, design);
  }

  /**
   * One optimizer step. The state that was given is written over by the step after the next.
   * @param target parameters of the target network, shape [P]
   */
  async step(
    state: OptimizerState,
    target: Float32Array,
    random: RandomStream,
    { learningRate, correction, moments }: StepInputs,
  ): Promise<{ readonly state: OptimizerState; readonly metrics: UpdateMetrics }> {
    const { minibatch, errors, diagnostics } = this;
    this.replay.sample(random, minibatch, correction);
    await this.graph.run(
      {
        ...this.buffers.inputs(state, learningRate),
        ...moments,
        target,
        transitions: minibatch.transitions,
        weights: minibatch.weights,
      },
      { ...this.buffers.outputs(), diagnostics, ...(errors && { errors }) },
    );
    return { state: this.buffers.advance(state), metrics: metricsFrom(diagnostics) };
  }

  /** Lets what was drawn last be drawn again as often as it was wrong. */
  prioritize(): void {
    if (this.errors !== null) this.replay.prioritize(this.minibatch.slots, this.errors);
  }

  release(): Promise<void> {
    return this.graph.release();
  }
}

/** @param diagnostics shape [D + 1]: those of the loss, and the gradient's norm */
function metricsFrom(diagnostics: Float32Array): UpdateMetrics {
  const [loss, predicted, target, squaredTarget, error, squaredError, norm] = diagnostics as unknown as number[];
  return {
    value_loss: loss!,
    value_mean: predicted!,
    explained_variance: 1 - (squaredError! - error! ** 2) / Math.max(1e-8, squaredTarget! - target! ** 2),
    gradient_norm: norm!,
  };
}
