import { describe, expect, it } from 'vitest';
import { DEFAULT_REGISTRIES } from '../specification/registries.ts';
import { resolved, specDocument } from '../test/support/spec-document.ts';
import { nextShrink, shrunkExecution } from './shrunk-execution.ts';

interface Setting {
  readonly samplers?: number;
  readonly grain?: number | null;
  readonly minibatch?: number;
}

function runWith({ samplers = 1, grain = null, minibatch = 600 }: Setting, shrinks = 0) {
  const algorithm = { name: 'ippo', minibatch_size: minibatch, gradient_grain: grain };
  const { variants, execution } = resolved({
    ...specDocument(),
    algorithm,
    execution: { sampler_processes: samplers, memory_mib: 1024 },
  });
  return { resolved: variants.frozen!, execution, shrinks };
}

/** What a run that lacks memory again and again does otherwise each time, until nothing is left. */
function changesOf(setting: Setting): string[] {
  const changes: string[] = [];
  for (let run = runWith(setting); ;) {
    const shrink = nextShrink(run, DEFAULT_REGISTRIES);
    if (shrink === null) return changes;
    expect(shrink.shrinks).toBe(run.shrinks + 1);
    changes.push(shrink.change);
    run = { ...run, shrinks: shrink.shrinks };
  }
}

describe('a run that lacks memory', () => {
  it.each<[string, Setting, string[]]>([
    ['halves its samplers', { samplers: 4 }, ['sampler_processes 4 → 2', 'sampler_processes 2 → 1']],
    ['keeps the larger half', { samplers: 5 }, ['5 → 3', '3 → 2', '2 → 1'].map((step) => `sampler_processes ${step}`)],
    ['then halves its chunk', { samplers: 2, grain: 300 }, ['sampler_processes 2 → 1', rows(600, 300)]],
    ['stops at a grain', { grain: 100 }, [rows(600, 300), rows(300, 200), rows(200, 100)]],
    ['keeps whole grains where they do not divide', { grain: 250 }, [rows(600, 500), rows(500, 250)]],
    ['has nothing to halve where a grain is a minibatch', { grain: 600 }, []],
    ['has nothing to halve where there is no grain', {}, []],
    ['halves no more than a block holds', { minibatch: 1_000_000, grain: 6400 }, [rows(12_800, 6400)]],
  ])('%s', (_what, setting, changes) => {
    expect(changesOf(setting)).toEqual(changes);
  });

  it('has the same limit of memory, and never a chunk below a grain or fewer than one sampler', () => {
    for (const shrinks of [0, 1, 2, 3, 10, 1000]) {
      const settings = shrunkExecution(runWith({ samplers: 4, grain: 200 }, shrinks), DEFAULT_REGISTRIES);
      expect(settings.memoryLimitMib).toBe(1024);
      expect(settings.samplerProcesses).toBeGreaterThanOrEqual(1);
      expect(settings.chunkRows).toBeGreaterThanOrEqual(200);
    }
  });

  it('is what it was where it never did', () => {
    expect(shrunkExecution(runWith({ samplers: 4, grain: 200 }), DEFAULT_REGISTRIES)).toEqual({
      memoryLimitMib: 1024,
      samplerProcesses: 4,
      chunkRows: 600,
    });
  });
});

function rows(before: number, after: number): string {
  return `rows of a minibatch at once ${before} → ${after}`;
}
