import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useBuiltPrograms } from '../../test/support/built-programs.ts';
import { createChildPool, type ChildPool } from './child-pool.ts';
import type { RequestFailure } from './child-process.ts';

// Real processes that really run out of memory, each in another way.

const [PROGRAM] = useBuiltPrograms([new URL('../../test/support/child-program.ts', import.meta.url)]) as [string];
const ROOM_BYTES = 16 * 2 ** 20;

let children: ChildPool;
beforeEach(() => void (children = createChildPool(PROGRAM, 60_000)));
afterEach(() => children.close());

const ask = (kind: string, memoryMib: number) =>
  children.request({
    ...{ runId: 'run', memoryMib, kind, payload: null, stallMs: 60_000, lessMemory: 'ask for less' },
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });

async function failure(kind: string, memoryMib: number): Promise<RequestFailure> {
  const outcome = await ask(kind, memoryMib);
  if (outcome.kind === 'done') throw new Error(`${kind} did not fail`);
  return outcome;
}

/** From now on the process that will answer next gets no more address space than it has, and a little. */
async function cutAddressSpace(memoryMib: number): Promise<void> {
  const { processId } = await ask('echo', memoryMib);
  const status = readFileSync(`/proc/${processId}/status`, 'utf8');
  const limit = Number(/^VmSize:\s+(\d+) kB$/m.exec(status)![1]) * 1024 + ROOM_BYTES;
  try {
    execFileSync('prlimit', ['--pid', String(processId), `--as=${limit}`]);
  } catch (error) {
    throw new Error('This test needs `prlimit`, which util-linux brings.', { cause: error });
  }
}

describe('[P22] [P24] [P25] [P27] a lack of memory is recognised, with peak and limit, and an exit code or a signal', () => {
  it.each([
    ['a heap that is full, by the words of V8', 'heap', 256, false],
    ['memory outside of the heap, by our watch', 'grow', 200, false],
    ['an address space that ends, by what the refused buffer says', 'grow', 1024, true],
    ['an address space in which a library finds no room', 'library', 1024, true],
  ])('%s', async (_way, kind, memoryMib, isCut) => {
    if (isCut) await cutAddressSpace(memoryMib);
    const { failureClass, exitCode, signal, peakRssMib, message } = await failure(kind, memoryMib);
    expect({ failureClass, message }).toMatchObject({ failureClass: 'out_of_memory' });
    expect(exitCode ?? signal).not.toBeNull();
    expect(peakRssMib).toBeGreaterThan(10);
    expect(message).toContain(`used ${Math.ceil(peakRssMib!)} MiB`);
    expect(message).toContain(`execution.memory_mib is ${memoryMib}: raise it, or ask for less`);
  });
});
