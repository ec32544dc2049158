import type { CompiledGraph, Executor, NamedArrays } from '../../executor.ts';
import { chunkGraph, stepGraph, type UpdateProblem } from './graphs.ts';
import { LOSS_DIAGNOSTICS } from './loss.ts';

// Letters: M samples of a minibatch, C rows of a chunk, G rows of a grain, P parameters, D diagnostics of the loss.

interface ChunkedSize {
  /** M */
  readonly rowCount: number;
  /** G, less than M */
  readonly grainRows: number;
  /** Most rows of a chunk. */
  readonly chunkRows: number;
}

/** Inputs that hold something of every row, or of every sequence of rows, in their order; 0 stands for nothing in weights. */
const OF_ROWS = ['rows', 'weights', 'joint_rows', 'sequences'];

/**
 * One step of an update that computes a minibatch chunk by chunk. It is run like the graph of the whole minibatch, and
 * gives the same bytes whatever the size of its chunks.
 */
export async function compileChunkedUpdate(
  executor: Executor,
  problem: UpdateProblem,
  { rowCount, grainRows, chunkRows }: ChunkedSize,
): Promise<CompiledGraph> {
  const grainCount = Math.ceil(rowCount / grainRows);
  const grainsOfChunk = Math.min(grainCount, Math.max(1, Math.floor(chunkRows / grainRows)));
  const chunk = await executor.compile(chunkGraph(problem, grainsOfChunk * grainRows, grainRows));
  const step = await executor.compile(stepGraph(problem));
  return new ChunkedUpdate({ chunk, step }, problem.network.parameterCount, grainsOfChunk / grainCount);
}

class ChunkedUpdate implements CompiledGraph {
  private readonly graphs: { readonly chunk: CompiledGraph; readonly step: CompiledGraph };
  /** Rows of a chunk by those of a minibatch, whose last grain is padded. */
  private readonly share: number;
  private readonly padded = new Map<string, Chunks>();
  /** Sums up to now, and the arrays that the next chunk writes its own into. */
  private sums: Sums;
  private spare: Sums;

  constructor(
    graphs: { readonly chunk: CompiledGraph; readonly step: CompiledGraph },
    parameterCount: number,
    share: number,
  ) {
    this.graphs = graphs;
    this.share = share;
    this.sums = createSums(parameterCount);
    this.spare = createSums(parameterCount);
  }

  /** @param inputs those of the whole minibatch; its rows end with those of weight 0 */
  async run(inputs: NamedArrays, outputs: NamedArrays): Promise<void> {
    await this.sumGradients(inputs);
    await this.graphs.step.run({ ...inputs, ...this.sums }, outputs);
  }

  private async sumGradients(inputs: NamedArrays): Promise<void> {
    const ofRows = OF_ROWS.filter((name) => inputs[name] !== undefined);
    const chunks = ofRows.map((name) => this.chunksOf(name, inputs[name]!));
    this.sums.gradient.fill(0);
    this.sums.losses.fill(0);
    const weights = chunks[ofRows.indexOf('weights')]!;
    for (let index = 0; index < weights.length; index += 1) {
      // From here on there is nothing but padding, which adds nothing.
      if (weights[index]!.every((weight) => weight === 0)) break;
      const { gradient, losses } = this.spare;
      const chunk = Object.fromEntries(ofRows.map((name, at) => [name, chunks[at]![index]!]));
      await this.graphs.chunk.run(
        { ...inputs, ...chunk, ...this.sums },
        { gradient_next: gradient, losses_next: losses },
      );
      [this.sums, this.spare] = [this.spare, this.sums];
    }
  }

  /** A copy of an input in parts of one length, which are the same arrays in every run. */
  private chunksOf(name: string, values: Float32Array | Int32Array): Chunks {
    const length = Math.round(values.length * this.share);
    const chunks = this.padded.get(name) ?? createChunks(values, length);
    this.padded.set(name, chunks);
    chunks.forEach((chunk, index) => {
      chunk.fill(name === 'weights' ? 0 : values[0]!).set(values.subarray(index * length, (index + 1) * length));
    });
    return chunks;
  }

  async release(): Promise<void> {
    await Promise.all(Object.values(this.graphs).map((graph) => graph.release()));
  }
}

type Chunks = readonly (Float32Array | Int32Array)[];

function createChunks(values: Float32Array | Int32Array, length: number): Chunks {
  return Array.from({ length: Math.ceil(values.length / length) }, () =>
    values instanceof Int32Array ? new Int32Array(length) : new Float32Array(length),
  );
}

/** Sums over grains: the gradient [P] and the diagnostics of the loss [D]. */
type Sums = { readonly gradient: Float32Array; readonly losses: Float32Array };

function createSums(parameterCount: number): Sums {
  return { gradient: new Float32Array(parameterCount), losses: new Float32Array(LOSS_DIAGNOSTICS.length) };
}
