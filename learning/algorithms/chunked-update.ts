import type { CompiledGraph, Executor, NamedArrays } from '../executor.ts';
import type { ActorCritic } from './actor-critic.ts';
import type { IppoParameters } from './ippo-parameters.ts';
import { ppoChunkGraph, ppoStepGraph } from './ppo-graphs.ts';
import { PPO_DIAGNOSTICS } from './ppo-loss.ts';

// Letters: M samples of a minibatch, C rows of a chunk, G rows of a grain, P parameters, D diagnostics of the loss.

interface ChunkedSize {
  readonly sampleCount: number;
  /** M */
  readonly rowCount: number;
  /** G, less than M */
  readonly grainRows: number;
  /** Most rows of a chunk. */
  readonly chunkRows: number;
}

/** Rows and weights of one chunk, views of what the whole minibatch has. */
interface Chunk {
  readonly rows: Int32Array;
  readonly weights: Float32Array;
}

/**
 * An update that computes a minibatch chunk by chunk. It is run like the graph of the whole minibatch, and gives the same
 * bytes whatever the size of its chunks.
 */
export async function compileChunkedUpdate(
  executor: Executor,
  network: ActorCritic,
  parameters: IppoParameters,
  { sampleCount, rowCount, grainRows, chunkRows }: ChunkedSize,
): Promise<CompiledGraph> {
  const grainCount = Math.ceil(rowCount / grainRows);
  const grainsOfChunk = Math.min(grainCount, Math.max(1, Math.floor(chunkRows / grainRows)));
  const size = { sampleCount, rowCount: grainsOfChunk * grainRows, grainRows };
  const chunk = await executor.compile(ppoChunkGraph(network, parameters, size));
  const step = await executor.compile(ppoStepGraph(network, parameters));
  const chunkCount = Math.ceil(grainCount / grainsOfChunk);
  return new ChunkedUpdate({ chunk, step }, network.parameterCount, { rowCount: size.rowCount, chunkCount });
}

class ChunkedUpdate implements CompiledGraph {
  private readonly graphs: { readonly chunk: CompiledGraph; readonly step: CompiledGraph };
  private readonly rows: Int32Array;
  private readonly weights: Float32Array;
  private readonly chunks: readonly Chunk[];
  private readonly norm = new Float32Array(1);
  /** Sums up to now, and the arrays that the next chunk writes its own into. */
  private sums: Sums;
  private spare: Sums;

  constructor(
    graphs: { readonly chunk: CompiledGraph; readonly step: CompiledGraph },
    parameterCount: number,
    { rowCount, chunkCount }: { readonly rowCount: number; readonly chunkCount: number },
  ) {
    this.graphs = graphs;
    this.rows = new Int32Array(chunkCount * rowCount);
    this.weights = new Float32Array(this.rows.length);
    this.chunks = Array.from({ length: chunkCount }, (_, index) => ({
      rows: this.rows.subarray(index * rowCount, (index + 1) * rowCount),
      weights: this.weights.subarray(index * rowCount, (index + 1) * rowCount),
    }));
    this.sums = createSums(parameterCount);
    this.spare = createSums(parameterCount);
  }

  /** @param inputs those of the whole minibatch; its rows end with those of weight 0 */
  async run(inputs: NamedArrays, outputs: NamedArrays): Promise<void> {
    await this.sumGradients(inputs);
    const { gradient, losses } = this.sums;
    const { diagnostics, ...next } = outputs;
    await this.graphs.step.run({ ...inputs, gradient }, { ...next, gradient_norm: this.norm });
    diagnostics!.set(losses);
    diagnostics!.set(this.norm, losses.length);
  }

  private async sumGradients({ rows, weights, ...shared }: NamedArrays): Promise<void> {
    this.rows.fill(rows![0]!).set(rows!);
    this.weights.fill(0).set(weights!);
    this.sums.gradient.fill(0);
    this.sums.losses.fill(0);
    for (const chunk of this.chunks) {
      // From here on there is nothing but padding, which adds nothing.
      if (chunk.weights[0] === 0) break;
      const { gradient, losses } = this.spare;
      await this.graphs.chunk.run(
        { ...shared, ...chunk, ...this.sums },
        { gradient_next: gradient, losses_next: losses },
      );
      [this.sums, this.spare] = [this.spare, this.sums];
    }
  }

  async release(): Promise<void> {
    await Promise.all(Object.values(this.graphs).map((graph) => graph.release()));
  }
}

/** Sums over grains: the gradient [P] and the diagnostics of the loss [D]. */
type Sums = { readonly gradient: Float32Array; readonly losses: Float32Array };

function createSums(parameterCount: number): Sums {
  return { gradient: new Float32Array(parameterCount), losses: new Float32Array(PPO_DIAGNOSTICS.length) };
}
