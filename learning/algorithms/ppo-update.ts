import type { CompiledGraph, Executor } from '../executor.ts';
import type { ActorCritic } from './actor-critic.ts';
import { compileChunkedUpdate } from './chunked-update.ts';
import { gradientRows } from './gradient-rows.ts';
import type { IppoParameters } from './ippo-parameters.ts';
import { BETA_1, BETA_2, ppoUpdateGraph } from './ppo-graphs.ts';
import { PPO_DIAGNOSTICS } from './ppo-loss.ts';

// Letters: S samples of a block, M samples of a minibatch, I input features, P parameters.

/** Means over an update's minibatches, by the index of the diagnostics vector. */
export const UPDATE_DIAGNOSTICS = [...PPO_DIAGNOSTICS, 'gradient_norm'] as const;

/** Parameters and Adam's moments, each [P], and how many steps were taken. */
export interface OptimizerState {
  parameters: Float32Array;
  firstMoment: Float32Array;
  secondMoment: Float32Array;
  stepCount: number;
}

/** One block of experience as the update reads it. The arrays are the caller's and may be refilled between blocks. */
export interface SampleBlock {
  /** Shape [S I]. */
  readonly inputs: Float32Array;
  /** Shape [S]. */
  readonly actions: Int32Array;
  /** Shape [S 3]. */
  readonly samples: Float32Array;
}

/** Runs the update step after step over two sets of arrays that change places. */
export class PpoUpdate {
  private readonly graph: CompiledGraph;
  private readonly block: SampleBlock;
  private readonly rows: Int32Array;
  private readonly weights: Float32Array;
  private readonly learningRate = new Float32Array(1);
  private readonly biasCorrection1 = new Float32Array(1);
  private readonly biasCorrection2 = new Float32Array(1);
  private readonly diagnostics = new Float32Array(UPDATE_DIAGNOSTICS.length);
  private spare: OptimizerState;

  private constructor(graph: CompiledGraph, block: SampleBlock, parameterCount: number, minibatchSize: number) {
    this.graph = graph;
    this.block = block;
    this.rows = new Int32Array(minibatchSize);
    this.weights = new Float32Array(minibatchSize);
    this.spare = createOptimizerState(new Float32Array(parameterCount));
  }

  static async create(
    executor: Executor,
    network: ActorCritic,
    parameters: IppoParameters,
    { block, chunkRows }: { readonly block: SampleBlock; readonly chunkRows: number | undefined },
  ): Promise<PpoUpdate> {
    const sampleCount = block.actions.length;
    const { minibatchRows, grainRows, chunkRows: usual } = gradientRows(parameters, sampleCount);
    const size = { sampleCount, rowCount: minibatchRows };
    const graph =
      grainRows === minibatchRows
        ? await executor.compile(ppoUpdateGraph(network, parameters, size))
        : await compileChunkedUpdate(executor, network, parameters, {
            ...size,
            grainRows,
            chunkRows: Math.min(usual, chunkRows ?? usual),
          });
    return new PpoUpdate(graph, block, network.parameterCount, minibatchRows);
  }

  /**
   * One optimizer step.
   * @param rows indices of the samples, at least one; fewer than a minibatch are padded with the first at weight 0,
   *   because 0 times whatever stands in a row that nobody learns from may be NaN
   * @returns the new state and the diagnostics, which the next step overwrites
   */
  async step(
    state: OptimizerState,
    rows: Int32Array,
    learningRate: number,
  ): Promise<{ state: OptimizerState; diagnostics: Float32Array }> {
    const next = this.spare;
    next.stepCount = state.stepCount + 1;
    this.rows.fill(rows[0]!).set(rows);
    this.weights.fill(0).fill(1 / rows.length, 0, rows.length);
    this.learningRate[0] = learningRate;
    this.biasCorrection1[0] = 1 - BETA_1 ** next.stepCount;
    this.biasCorrection2[0] = 1 - BETA_2 ** next.stepCount;
    await this.graph.run(
      {
        parameters: state.parameters,
        first_moment: state.firstMoment,
        second_moment: state.secondMoment,
        learning_rate: this.learningRate,
        bias_correction_1: this.biasCorrection1,
        bias_correction_2: this.biasCorrection2,
        rows: this.rows,
        weights: this.weights,
        ...this.block,
      },
      {
        parameters_next: next.parameters,
        first_moment_next: next.firstMoment,
        second_moment_next: next.secondMoment,
        diagnostics: this.diagnostics,
      },
    );
    this.spare = state;
    return { state: next, diagnostics: this.diagnostics };
  }

  release(): Promise<void> {
    return this.graph.release();
  }
}

/** An optimizer that has not taken a step. @param parameters shape [P], kept */
export function createOptimizerState(parameters: Float32Array): OptimizerState {
  return {
    parameters,
    firstMoment: new Float32Array(parameters.length),
    secondMoment: new Float32Array(parameters.length),
    stepCount: 0,
  };
}
