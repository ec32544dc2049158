import { describe, expect, it } from 'vitest';
import { DEFAULT_REGISTRIES } from '../specification/registries.ts';
import { resolved, specDocument } from '../test/support/spec-document.ts';
import { nextShrink, shrunkExecution } from './shrunk-execution.ts';

const { variants, execution } = resolved({
  ...specDocument(),
  algorithm: { name: 'ippo', minibatch_size: 600, gradient_grain: 100 },
  execution: { sampler_processes: 3, memory_mib: 512 },
});
const run = { resolved: Object.values(variants)[0]!, execution, shrinks: 0 };

describe('a run that lacked memory', () => {
  it('[P26] halves its samplers, then the grains of a minibatch at once, and ends with one grain', () => {
    const settings = Array.from({ length: 6 }, (_, shrinks) =>
      shrunkExecution({ ...run, shrinks }, DEFAULT_REGISTRIES),
    );
    expect(settings.map(({ samplerProcesses, chunkRows }) => [samplerProcesses, chunkRows])).toEqual([
      [3, 600],
      [2, 600],
      [1, 600],
      [1, 300],
      [1, 200],
      [1, 100],
    ]);
    expect(settings.every(({ memoryLimitMib }) => memoryLimitMib === execution.memory_mib)).toBe(true);
  });

  it('tells each change in words, until nothing is left to make smaller', () => {
    const changes = Array.from(
      { length: 6 },
      (_, shrinks) => nextShrink({ ...run, shrinks }, DEFAULT_REGISTRIES)?.change,
    );
    expect(changes).toEqual([
      'sampler_processes 3 → 2',
      'sampler_processes 2 → 1',
      'rows of a minibatch at once 600 → 300',
      'rows of a minibatch at once 300 → 200',
      'rows of a minibatch at once 200 → 100',
      undefined,
    ]);
  });
});
