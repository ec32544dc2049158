import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useBuiltPrograms } from '../../test/support/built-programs.ts';
import { isGroupAlive, processIdentity } from '../process-group.ts';
import { createChildPool, type ChildPool, type PoolRequest } from './child-pool.ts';

// Real processes: a program of the tests, bundled as the real one is, under the real supervision.

const [PROGRAM, OWNER] = useBuiltPrograms([
  new URL('../../test/support/child-program.ts', import.meta.url),
  new URL('../../test/support/child-owner.ts', import.meta.url),
]) as [string, string];
const PATIENCE = { timeout: 20_000, interval: 20 };

let children: ChildPool;
beforeEach(() => {
  children = createChildPool(PROGRAM, 60_000);
});
afterEach(() => children.close());

function ask(kind: string, payload: unknown = null, changes: Partial<PoolRequest> = {}) {
  return children.request({
    runId: 'run',
    memoryMib: 512,
    kind,
    payload,
    stallMs: 60_000,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...changes,
  });
}

/** Asks for something that goes on until it is ended, and waits for the first number that it reports. */
async function begin(kind: string, changes: Partial<PoolRequest> = {}) {
  const reports: number[] = [];
  const outcome = ask(kind, null, { ...changes, onProgress: (value) => reports.push(value) });
  // A request that is cancelled rejects, perhaps before the test looks.
  outcome.catch(() => undefined);
  await vi.waitUntil(() => reports.length > 0, PATIENCE);
  return { outcome, reported: reports[0]! };
}

const isGone = (processId: number) => processIdentity(processId) === null;

async function echo(runId = 'run', changes: Partial<PoolRequest> = {}) {
  const outcome = await ask('echo', null, { runId, ...changes });
  if (outcome.kind !== 'done') throw new Error(outcome.message);
  return outcome.result as { processId: number; requestCount: number };
}

describe('a request', () => {
  it('is answered with everything that JSON would lose', async () => {
    const payload = { numbers: Float32Array.of(1, NaN), limits: [-Infinity, NaN, -0] };
    const outcome = await ask('echo', payload);
    expect(outcome).toMatchObject({ kind: 'done', result: { payload } });
    expect(outcome.processId).not.toBe(process.pid);
    expect(outcome.peakRssMib).toBeGreaterThan(10);
  });

  it('shows its progress', async () => {
    const seen: number[] = [];
    await ask('count', 3, { onProgress: (value) => seen.push(value) });
    expect(seen).toEqual([1, 2, 3]);
  });

  it.each([
    ['REQUEST_CONFLICT', 'request'],
    ['WORLD_DISK', 'lost'],
    ['DEFECT_SHAPE_MISMATCH', 'error'],
  ])('that fails with %s has the class %s', async (code, failureClass) => {
    const outcome = await ask('fail', code);
    expect(outcome).toMatchObject({ kind: 'failed', failureClass, message: `${code}: as the test asked` });
  });

  it('that fails with an error that is none of ours is a defect, with its stack', async () => {
    const outcome = await ask('break');
    expect(outcome).toMatchObject({ failureClass: 'error', message: expect.stringContaining('DEFECT_INVARIANT') });
    expect(outcome).toMatchObject({ logTail: expect.stringMatching(/TypeError: x is not a function\n\s+at /) });
  });

  it('of an unknown kind is a defect', async () => {
    expect(await ask('no such kind')).toMatchObject({ failureClass: 'error' });
  });
});

describe('a child that ends before its answer', () => {
  it('was lost when somebody killed it', async () => {
    const { outcome, reported } = await begin('work');
    process.kill(reported, 'SIGKILL');
    expect(await outcome).toMatchObject({
      kind: 'failed',
      failureClass: 'lost',
      signal: 'SIGKILL',
      processId: reported,
    });
  });

  it('has failed when it ended itself, and its last words are kept', async () => {
    const outcome = await ask('exit', 3);
    expect(outcome).toMatchObject({ failureClass: 'error', exitCode: 3, logTail: 'last words\n' });
  });

  it('is killed when it shows no progress for too long', async () => {
    const outcome = await ask('silence', null, { stallMs: 1 });
    expect(outcome).toMatchObject({ failureClass: 'stalled', signal: 'SIGKILL' });
    expect(isGroupAlive(outcome.processId!)).toBe(false);
  });

  it('is killed when it grows beyond its memory, wherever the memory lies', async () => {
    const outcome = await ask('grow', null, { memoryMib: 150 });
    expect(outcome).toMatchObject({ failureClass: 'out_of_memory', signal: 'SIGKILL' });
    expect(outcome.peakRssMib).toBeGreaterThan(150);
  });

  it('leaves no process of its own behind, and is not waited for because of one', async () => {
    const { outcome, reported: grandchild } = await begin('abandon');
    expect(await outcome).toMatchObject({ failureClass: 'lost' });
    await vi.waitUntil(() => isGone(grandchild), PATIENCE);
  });
});

describe('cancelling a request', () => {
  it('throws the reason, when the child and all it started are gone', async () => {
    const controller = new AbortController();
    const { outcome, reported: grandchild } = await begin('parent', { signal: controller.signal });
    controller.abort(new Error('superseded'));
    await expect(outcome).rejects.toThrow('superseded');
    expect(isGone(grandchild)).toBe(true);
  });

  it('before it began starts nothing', async () => {
    await expect(ask('echo', null, { signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow('too late');
  });
});

describe('the children of a worker', () => {
  it('stay warm: one process for a run, another for another', async () => {
    const first = await echo('a');
    const again = await echo('a');
    expect(again).toEqual({ ...first, requestCount: 2 });
    expect((await echo('b')).processId).not.toBe(first.processId);
  });

  it('are replaced when they have died while idle', async () => {
    const { processId } = await echo();
    process.kill(processId, 'SIGKILL');
    await vi.waitUntil(() => isGone(processId), PATIENCE);
    await vi.waitUntil(async () => (await ask('echo')).kind === 'done', PATIENCE);
    expect((await echo()).processId).not.toBe(processId);
  });

  it('are replaced after a failure, because they may be in any state', async () => {
    const { processId } = await echo();
    const { processId: failed } = await ask('fail', 'WORLD_DISK');
    expect(failed).toBe(processId);
    expect(await echo()).toMatchObject({ requestCount: 1 });
    expect(isGone(processId)).toBe(true);
  });

  it('are replaced when they have nearly grown to their limit', async () => {
    const { processId } = await ask('hold', 150);
    expect((await echo('run', { memoryMib: 512 })).processId).toBe(processId);
    expect((await echo('run', { memoryMib: 150 })).processId).not.toBe(processId);
    expect(isGone(processId!)).toBe(true);
  });

  it('are replaced when they may use more memory than they were started with', async () => {
    const { processId } = await echo('run', { memoryMib: 512 });
    expect((await echo('run', { memoryMib: 513 })).processId).not.toBe(processId);
  });

  it('end when they were idle for long', async () => {
    const impatient = createChildPool(PROGRAM, 1);
    const outcome = await impatient.request({
      runId: 'run',
      memoryMib: 512,
      kind: 'echo',
      payload: null,
      stallMs: 60_000,
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
    await vi.waitUntil(() => isGone(outcome.processId!), PATIENCE);
  });

  it('end when their run is released, and all of them when the worker closes', async () => {
    const [first, second] = [await echo('a'), await echo('b')];
    await children.release('a');
    expect([first, second].map(({ processId }) => isGone(processId))).toEqual([true, false]);
    await children.close();
    expect(isGone(second.processId)).toBe(true);
  });

  it('end by themselves when the worker was killed', async () => {
    const owner = spawn(process.execPath, [OWNER, PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(owner.stdout, 'data')) as [Buffer];
    const processId = Number.parseInt(line.toString(), 10);
    expect(isGone(processId)).toBe(false);
    owner.kill('SIGKILL');
    await vi.waitUntil(() => isGone(processId), PATIENCE);
  });
});
