import type { Graph } from './graph/expression.ts';

/** Arrays by the name of a graph's input or output, flat, in row-major order. */
export type NamedArrays = Readonly<Record<string, Float32Array | Int32Array>>;

/** Whoever can run a graph. Implementations live in `infra/`; the mathematics only knows this interface. */
export interface Executor {
  readonly name: string;
  /** Changes when the numbers it produces may change; part of what a checkpoint records. */
  readonly version: string;
  compile(graph: Graph): Promise<CompiledGraph>;
  /** For executors that can go through steps by themselves; `compileLoop` in `learning/graph-loop.ts` serves all. */
  compileLoop?(graph: Graph, shape: LoopShape): Promise<CompiledLoop>;
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

/** How a graph is run step after step. */
export interface LoopShape {
  /** Most steps of one run, S. */
  readonly stepsMax: number;
  /** Every output of the graph → the input that it is in the next step. */
  readonly carried: Readonly<Record<string, string>>;
  /** Inputs that have an entry for each step: [S …] where the graph has […]. All others are the same in all steps. */
  readonly stepped: readonly string[];
}

export interface CompiledLoop {
  /**
   * Runs the graph several times, each time with what it came to before. The same inputs give the same bytes.
   * @param stepCount at least 1, at most S
   * @param inputs as of a graph; of those with an entry for each step the first `stepCount` are read
   * @param outputs as of a graph: what the last step came to
   */
  run(stepCount: number, inputs: NamedArrays, outputs: NamedArrays): Promise<void>;
  release(): Promise<void>;
}
