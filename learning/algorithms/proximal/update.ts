import type { CompiledGraph, Executor, NamedArrays } from '../../executor.ts';
import { OptimizerBuffers, type OptimizerState } from '../../optimization/optimizer.ts';
import { compileChunkedUpdate } from './chunked-update.ts';
import { gradientRows } from './gradient-rows.ts';
import { updateGraph, type UpdateProblem } from './graphs.ts';
import { LOSS_DIAGNOSTICS } from './loss.ts';
import { Minibatch } from './minibatch.ts';

/** Means over an update's minibatches, by the index of the diagnostics vector. */
export const UPDATE_DIAGNOSTICS = [...LOSS_DIAGNOSTICS, 'gradient_norm'] as const;

/** Numbers that move over a run. */
export interface UpdateRates {
  readonly learningRate: number;
  readonly entropyCoefficient: number;
}

/** What a run of the graph reads and writes. */
interface Call {
  readonly inputs: NamedArrays;
  readonly outputs: NamedArrays;
}

/** Runs the update step after step over two sets of arrays that change places. */
export class ProximalUpdate {
  readonly minibatch: Minibatch;
  private readonly graph: CompiledGraph;
  private readonly buffers: OptimizerBuffers;
  private readonly entropyCoefficient = new Float32Array(1);
  private readonly diagnostics = new Float32Array(UPDATE_DIAGNOSTICS.length);
  /**
   * By the parameters that a step begins with, of which there are two that change places. Put together anew for every step
   * they had the collector compact the heap three times as often, which cost 5 % of training.
   */
  private readonly calls = new Map<Float32Array, Call>();
  /** The block that the calls are about. */
  private block: NamedArrays = {};

  private constructor(graph: CompiledGraph, minibatch: Minibatch, buffers: OptimizerBuffers) {
    this.graph = graph;
    this.minibatch = minibatch;
    this.buffers = buffers;
  }

  /** @param chunkRows most rows that are computed at once */
  static async create(
    executor: Executor,
    problem: UpdateProblem,
    chunkRows: number | undefined,
  ): Promise<ProximalUpdate> {
    const { minibatchRows, grainRows, chunkRows: usual } = gradientRows(problem.parameters, problem.block);
    const graph =
      grainRows === minibatchRows
        ? await executor.compile(updateGraph(problem, minibatchRows))
        : await compileChunkedUpdate(executor, problem, {
            rowCount: minibatchRows,
            grainRows,
            chunkRows: Math.min(usual, chunkRows ?? usual),
          });
    const minibatch = new Minibatch(problem, { minibatchRows, grainRows });
    return new ProximalUpdate(
      graph,
      minibatch,
      new OptimizerBuffers(problem.network.parameterCount, problem.optimizer.kind),
    );
  }

  /**
   * One optimizer step on what the minibatch holds.
   * @param block the block's arrays by the names of inputs
   * @returns the new state, and the diagnostics, which the next step overwrites; the old state again when one of these is
   *   not finite
   */
  async step(
    state: OptimizerState,
    block: NamedArrays,
    { learningRate, entropyCoefficient }: UpdateRates,
  ): Promise<{ state: OptimizerState; diagnostics: Float32Array }> {
    const { buffers, diagnostics } = this;
    this.entropyCoefficient[0] = entropyCoefficient;
    const small = buffers.inputs(state, learningRate);
    if (this.block !== block) this.calls.clear();
    this.block = block;
    const call = this.calls.get(state.parameters) ?? this.callFor(block, small);
    this.calls.set(state.parameters, call);
    await this.graph.run(call.inputs, call.outputs);
    return { state: diagnostics.every(Number.isFinite) ? buffers.advance(state) : state, diagnostics };
  }

  release(): Promise<void> {
    return this.graph.release();
  }

  private callFor(block: NamedArrays, optimizer: NamedArrays): Call {
    const { minibatch, entropyCoefficient, buffers, diagnostics } = this;
    return {
      inputs: { ...block, ...minibatch.inputs, entropy_coefficient: entropyCoefficient, ...optimizer },
      outputs: { ...buffers.outputs(), diagnostics },
    };
  }
}
