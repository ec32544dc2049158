import type { CompiledGraph, CompiledLoop, Executor, LoopShape } from '../../../learning/executor.ts';
import type { Graph } from '../../../learning/graph/expression.ts';
import { compileLoop } from '../../../learning/graph-loop.ts';
import { multiplyAdds } from './multiply-adds.ts';

/** What graphs did since somebody looked last. */
export interface GraphWork {
  readonly multiplyAdds: number;
  readonly s: number;
}

/** An executor that adds up what its graphs do, and for how long. */
export class CountingExecutor implements Executor {
  readonly name: string;
  readonly version: string;
  private readonly executor: Executor;
  private done = { multiplyAdds: 0, s: 0 };

  constructor(executor: Executor) {
    this.executor = executor;
    this.name = executor.name;
    this.version = executor.version;
  }

  async compile(graph: Graph): Promise<CompiledGraph> {
    const compiled = await this.executor.compile(graph);
    const work = multiplyAdds(graph);
    return {
      run: (inputs, outputs) => this.counted(work, () => compiled.run(inputs, outputs)),
      release: () => compiled.release(),
    };
  }

  async compileLoop(graph: Graph, shape: LoopShape): Promise<CompiledLoop> {
    const compiled = await compileLoop(this.executor, graph, shape);
    const work = multiplyAdds(graph);
    return {
      run: (count, inputs, outputs) => this.counted(count * work, () => compiled.run(count, inputs, outputs)),
      release: () => compiled.release(),
    };
  }

  peakGpuBytes(): number | null {
    return this.executor.peakGpuBytes();
  }

  private async counted(multiplyAdds: number, work: () => Promise<void>): Promise<void> {
    const startedAt = performance.now();
    await work();
    this.done.s += (performance.now() - startedAt) / 1000;
    this.done.multiplyAdds += multiplyAdds;
  }

  /** What was done up to now; counting begins anew. */
  take(): GraphWork {
    const { done } = this;
    this.done = { multiplyAdds: 0, s: 0 };
    return done;
  }
}
