import type { Graph } from './graph/expression.ts';

/** Arrays by the name of a graph's input or output, flat, in row-major order. */
export type NamedArrays = Readonly<Record<string, Float32Array | Int32Array>>;

/** Whoever can run a graph. Implementations live in `infra/`; the mathematics only knows this interface. */
export interface Executor {
  readonly name: string;
  /** Changes when the numbers it produces may change; part of what a checkpoint records. */
  readonly version: string;
  compile(graph: Graph): Promise<CompiledGraph>;
  /** Most bytes that its arrays have held at once on a GPU; null where it uses none. */
  peakGpuBytes(): number | null;
}

export interface CompiledGraph {
  /**
   * Runs the graph once. The same inputs give the same bytes.
   * @param inputs one array for every input of the graph, of exactly its size and type; only read
   * @param outputs one caller-owned array for every output of the graph; overwritten. An array must not be both input
   *   and output of one run, and in a hot loop the same arrays should come back: executors keep what they bind to them.
   * @throws DEFECT_SHAPE_MISMATCH when an array is missing or has another size or type than the graph says
   */
  run(inputs: NamedArrays, outputs: NamedArrays): Promise<void>;
  /** Frees what lives outside of JavaScript's memory. The graph cannot be run afterwards. */
  release(): Promise<void>;
}
