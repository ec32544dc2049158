import type { CompiledGraph, Executor } from '../../../learning/executor.ts';
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

  async compile(graph: Parameters<Executor['compile']>[0]): Promise<CompiledGraph> {
    const compiled = await this.executor.compile(graph);
    const work = multiplyAdds(graph);
    return {
      run: async (inputs, outputs) => {
        const startedAt = performance.now();
        await compiled.run(inputs, outputs);
        this.done.s += (performance.now() - startedAt) / 1000;
        this.done.multiplyAdds += work;
      },
      release: () => compiled.release(),
    };
  }

  peakGpuBytes(): number | null {
    return this.executor.peakGpuBytes();
  }

  /** What was done up to now; counting begins anew. */
  take(): GraphWork {
    const { done } = this;
    this.done = { multiplyAdds: 0, s: 0 };
    return done;
  }
}
