import type { CompiledLoop, Executor, NamedArrays } from '../../executor.ts';
import { compileLoop, StepByStep } from '../../graph-loop.ts';
import { OptimizerBuffers, type OptimizerState } from '../../optimization/optimizer.ts';
import { compileChunkedUpdate } from './chunked-update.ts';
import { gradientRows } from './gradient-rows.ts';
import { updateGraph, updateLoop, type UpdateProblem } from './graphs.ts';
import { LOSS_DIAGNOSTICS } from './loss.ts';
import { Minibatches } from './minibatches.ts';

// Letters: D diagnostics.

/** By the index of the diagnostics vector. */
export const UPDATE_DIAGNOSTICS = [...LOSS_DIAGNOSTICS, 'gradient_norm'] as const;

/** Numbers that move over a run. */
export interface UpdateRates {
  readonly learningRate: number;
  readonly entropyCoefficient: number;
}

/** What some steps came to. */
export interface Stepped {
  /** The one before them when one of them met what is not finite. */
  readonly state: OptimizerState;
  /** Shape [D]: sums over the steps up to the first that is not finite, which the next steps overwrite. */
  readonly sums: Float32Array;
  /** Steps before the first that is not finite. */
  readonly finiteSteps: number;
}

/** What a run of the graph reads and writes. */
interface Call {
  readonly inputs: NamedArrays;
  readonly outputs: NamedArrays;
}

/** Runs the steps of an epoch over two sets of arrays that change places. */
export class ProximalUpdate {
  readonly minibatches: Minibatches;
  private readonly loop: CompiledLoop;
  private readonly buffers: OptimizerBuffers;
  private readonly entropyCoefficient = new Float32Array(1);
  private readonly sums = new Float32Array(UPDATE_DIAGNOSTICS.length);
  private readonly finiteSteps = new Float32Array(1);
  /** What both are before the first step. */
  private readonly nothing = { diagnostics: new Float32Array(this.sums.length), finite_steps: new Float32Array(1) };
  /**
   * By the parameters that a run begins with, of which there are two that change places. Put together anew for every run
   * they had the collector compact the heap three times as often, which cost 5 % of training.
   */
  private readonly calls = new Map<Float32Array, Call>();
  /** The block that the calls are about. */
  private block: NamedArrays = {};

  private constructor(loop: CompiledLoop, minibatches: Minibatches, buffers: OptimizerBuffers) {
    this.loop = loop;
    this.minibatches = minibatches;
    this.buffers = buffers;
  }

  /** @param chunkRows most rows that are computed at once */
  static async create(
    executor: Executor,
    problem: UpdateProblem,
    chunkRows: number | undefined,
  ): Promise<ProximalUpdate> {
    const rows = gradientRows(problem.parameters, problem.block);
    const minibatches = new Minibatches(problem, rows);
    const { minibatchRows: rowCount, grainRows, chunkRows: usual } = rows;
    const shape = updateLoop(problem, minibatches.countMax);
    const loop =
      grainRows === rowCount
        ? await compileLoop(executor, updateGraph(problem, rowCount), shape)
        : new StepByStep(
            await compileChunkedUpdate(executor, problem, {
              rowCount,
              grainRows,
              chunkRows: Math.min(usual, chunkRows ?? usual),
            }),
            shape,
          );
    const { parameterCount } = problem.network;
    return new ProximalUpdate(
      loop,
      minibatches,
      new OptimizerBuffers(parameterCount, problem.optimizer, minibatches.countMax),
    );
  }

  /**
   * Optimizer steps on the minibatches, one after the other.
   * @param stepCount how many of the minibatches there are
   * @param block the block's arrays by the names of inputs
   */
  async steps(
    stepCount: number,
    state: OptimizerState,
    block: NamedArrays,
    { learningRate, entropyCoefficient }: UpdateRates,
  ): Promise<Stepped> {
    const { buffers, sums } = this;
    this.entropyCoefficient[0] = entropyCoefficient;
    const small = buffers.inputs(state, learningRate, stepCount);
    if (this.block !== block) this.calls.clear();
    this.block = block;
    const call = this.calls.get(state.parameters) ?? this.callFor(block, small);
    this.calls.set(state.parameters, call);
    await this.loop.run(stepCount, call.inputs, call.outputs);
    const finiteSteps = this.finiteSteps[0]!;
    return { state: finiteSteps === stepCount ? buffers.advance(state, stepCount) : state, sums, finiteSteps };
  }

  release(): Promise<void> {
    return this.loop.release();
  }

  private callFor(block: NamedArrays, optimizer: NamedArrays): Call {
    const { minibatches, entropyCoefficient, buffers, sums, finiteSteps, nothing } = this;
    return {
      inputs: {
        ...block,
        ...minibatches.inputs,
        ...nothing,
        entropy_coefficient: entropyCoefficient,
        ...optimizer,
      },
      outputs: { ...buffers.outputs(), diagnostics_next: sums, finite_steps_next: finiteSteps },
    };
  }
}
