import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useBuiltPrograms } from '../../test/support/built-programs.ts';
import { isGroupAlive, processIdentity } from '../process-group.ts';
import { createChildPool, type ChildPool, type PoolRequest } from './child-pool.ts';

// A real thread of a real child, under the real supervision.

const [CHILD, OWNER] = useBuiltPrograms([
  new URL('../../test/support/threaded-child.ts', import.meta.url),
  new URL('../../test/support/child-owner.ts', import.meta.url),
  new URL('../../test/support/thread-program.ts', import.meta.url),
]) as [string, string];
const PATIENCE = { timeout: 20_000, interval: 20 };

let children: ChildPool;
beforeEach(() => {
  children = createChildPool(CHILD, 60_000);
});
afterEach(() => children.close());

const ask = (kind: string, payload: unknown = null, changes: Partial<PoolRequest> = {}) =>
  children.request({
    runId: 'run',
    memoryMib: 512,
    kind,
    payload,
    stallMs: 60_000,
    lessMemory: '',
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...changes,
  });

describe('a thread of a child', () => {
  it('answers requests one after the other; shared memory stays shared, the rest is copied', async () => {
    expect(await ask('add')).toMatchObject({ kind: 'done', result: [2, 0] });
  });

  it.each([
    ['REQUEST_CONFLICT', 'request'],
    ['WORLD_DISK', 'lost'],
    ['DEFECT_SHAPE_MISMATCH', 'error'],
  ])('that fails with %s fails the child with the class %s, and tells where', async (code, failureClass) => {
    expect(await ask('fail', code)).toMatchObject({
      failureClass,
      message: `${code}: as the test asked`,
      logTail: expect.stringMatching(/as the test asked\n\s+at .*thread-program/),
    });
  });

  it('that breaks outside of any request fails the child with its error and stack', async () => {
    expect(await ask('break')).toMatchObject({
      failureClass: 'error',
      message: expect.stringContaining('x is not a function'),
      logTail: expect.stringMatching(/x is not a function\n\s+at .*thread-program/),
    });
  });

  it('that ends itself fails the child with its exit code and last words', async () => {
    expect(await ask('exit', 3)).toMatchObject({
      failureClass: 'error',
      message: expect.stringContaining('exit code 3'),
      logTail: expect.stringContaining('last words of a thread'),
    });
  });

  it('that has ended answers no more', async () => {
    expect(await ask('again')).toMatchObject({
      failureClass: 'error',
      message: expect.stringContaining('exit code 3'),
    });
  });

  it('of which something unknown is asked is a defect', async () => {
    expect(await ask('missing')).toMatchObject({ failureClass: 'error' });
  });

  it('whose heap is full has run out of memory', async () => {
    expect(await ask('heap', null, { memoryMib: 400 })).toMatchObject({
      failureClass: 'out_of_memory',
      message: expect.stringContaining('heap out of memory'),
    });
  });

  it('counts to the memory of the child, which is killed when it grows beyond its limit', async () => {
    const outcome = await ask('grow', null, { memoryMib: 200 });
    expect(outcome).toMatchObject({ failureClass: 'out_of_memory', signal: 'SIGKILL' });
    expect(outcome.peakRssMib).toBeGreaterThan(200);
  });
});

describe('a child with a thread that never stops', () => {
  it('is gone when its request was cancelled', async () => {
    const controller = new AbortController();
    const reports: number[] = [];
    const outcome = ask('work', null, { signal: controller.signal, onProgress: (value) => reports.push(value) });
    outcome.catch(() => undefined);
    await vi.waitUntil(() => reports.length > 0, PATIENCE);
    controller.abort(new Error('superseded'));
    await expect(outcome).rejects.toThrow('superseded');
    expect(isGroupAlive(reports[0]!)).toBe(false);
  });

  it('ends by itself when the worker was killed', async () => {
    const owner = spawn(process.execPath, [OWNER, CHILD], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(owner.stdout, 'data')) as [Buffer];
    const processId = Number.parseInt(line.toString(), 10);
    expect(processIdentity(processId)).not.toBeNull();
    owner.kill('SIGKILL');
    await vi.waitUntil(() => processIdentity(processId) === null, PATIENCE);
  });
});
