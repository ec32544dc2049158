import type { ActionArray } from '../../simulators/contract.ts';
import { keyFrom, PURPOSE, RandomStream } from '../../simulators/random.ts';
import type { CompiledGraph, Executor } from '../executor.ts';
import { createOptimizerState, OptimizerBuffers, type OptimizerState } from '../optimization/optimizer.ts';
import { type CloneNetwork, cloningGraph, initialClone, outputSizeOf } from './clone-network.ts';
import type { Samples } from './demonstrations.ts';
import { gatherRows, type ScaledSamples } from './scaled-samples.ts';

// Letters: M samples of a step, I observation features, W numbers of an action, A actions, P parameters.

export interface FitOptions {
  readonly learningRate: number;
  /** Samples of a step, at most. */
  readonly minibatch: number;
  readonly seed: number;
}

const OPTIMIZER = { kind: 'adam', adamEpsilon: 1e-8, momentum: 0, gradientClip: 1, frozen: [] } as const;

/** Goes through the training samples, minibatch by minibatch. */
export class Fitter {
  private readonly graph: CompiledGraph;
  private readonly samples: ScaledSamples;
  private readonly options: FitOptions;
  private readonly order: Int32Array;
  private readonly observations: Float32Array;
  private readonly actions: ActionArray;
  /** Shape [M A]; none where nothing is known of what was legal. */
  private readonly masks: { readonly masks?: Float32Array };
  private readonly buffers: OptimizerBuffers;
  private readonly rowCount: number;
  private state: OptimizerState;

  private constructor(
    network: CloneNetwork,
    samples: ScaledSamples,
    { graph, rows, options }: { graph: CompiledGraph; rows: Int32Array; options: FitOptions },
  ) {
    this.graph = graph;
    this.samples = samples;
    this.options = options;
    this.order = rows.slice();
    this.rowCount = rowsOfStep(rows.length, options);
    this.observations = new Float32Array(this.rowCount * samples.inputSize);
    const actionCount = this.rowCount * samples.actionSize;
    this.actions = network.space.kind === 'discrete' ? new Int32Array(actionCount) : new Float32Array(actionCount);
    this.masks = samples.masks === null ? {} : { masks: new Float32Array(this.rowCount * outputSizeOf(network)) };
    this.state = createOptimizerState(initialClone(network, options.seed));
    this.buffers = new OptimizerBuffers(this.state.parameters.length, OPTIMIZER);
  }

  static async create(
    network: CloneNetwork,
    samples: ScaledSamples,
    { training, options, executor }: { training: Samples; options: FitOptions; executor: Executor },
  ): Promise<Fitter> {
    const graph = cloningGraph(network, rowsOfStep(training.rows.length, options), OPTIMIZER);
    return new Fitter(network, samples, { graph: await executor.compile(graph), rows: training.rows, options });
  }

  /** Shape [P], a copy. */
  get parameters(): Float32Array {
    return this.state.parameters.slice();
  }

  /** Every training sample once, in an order of this epoch's own, but for a rest that does not fill a minibatch. */
  async epoch(index: number): Promise<void> {
    new RandomStream(keyFrom(this.options.seed, PURPOSE.cloning, 1 + index)).shuffle(this.order);
    for (let first = 0; first + this.rowCount <= this.order.length; first += this.rowCount) {
      await this.step(this.order.subarray(first, first + this.rowCount));
    }
  }

  async release(): Promise<void> {
    await this.graph.release();
  }

  private async step(rows: Int32Array): Promise<void> {
    const { samples, observations, actions, masks, buffers, graph } = this;
    gatherRows(samples.inputs, rows, samples.inputSize, observations);
    gatherRows(samples.actions, rows, samples.actionSize, actions);
    if (masks.masks) gatherRows(samples.masks!, rows, masks.masks.length / this.rowCount, masks.masks);
    const { mean, scale } = samples.moments;
    const optimizer = buffers.inputs(this.state, this.options.learningRate);
    await graph.run({ ...optimizer, ...masks, observations, actions, mean, scale }, buffers.outputs());
    this.state = buffers.advance(this.state);
  }
}

const rowsOfStep = (sampleCount: number, { minibatch }: FitOptions): number => Math.min(minibatch, sampleCount);
