import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useBuiltPrograms } from '../../test/support/built-programs.ts';
import { isGroupAlive, processIdentity } from '../process-group.ts';
import type { RequestFailure } from './child-process.ts';
import { createChildPool, type ChildPool, type ChildPoolOptions, type PoolRequest } from './child-pool.ts';

// Real processes: a program of the tests, bundled as the real one is, under the real supervision.

const [PROGRAM, OWNER] = useBuiltPrograms([
  new URL('../../test/support/child-program.ts', import.meta.url),
  new URL('../../test/support/child-owner.ts', import.meta.url),
]) as [string, string];
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

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
    lessMemory: 'ask for less',
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

  it('[P27] that fails has an exit code or a signal also when its process lived to tell', async () => {
    const outcome = await ask('fail', 'WORLD_DISK');
    if (outcome.kind === 'done') throw new Error('it did not fail');
    expect(outcome.exitCode ?? outcome.signal).not.toBeNull();
    expect(isGone(outcome.processId!)).toBe(true);
  });

  it('leaves nothing in memory when it is over, however long its process goes on', async () => {
    const ended = async () => new WeakRef(await echo());
    const results = [await ended(), await ended(), await ended()];
    // What a turn has looked at lives until its end, and what is made ready for collection goes with the next one.
    await nextTurn();
    collectGarbage();
    await nextTurn();
    collectGarbage();
    expect(results.map((result) => result.deref())).toEqual([undefined, undefined, undefined]);
    expect((await echo()).requestCount).toBe(results.length + 1);
  });

  it('of an unknown kind is a defect', async () => {
    expect(await ask('no such kind')).toMatchObject({ failureClass: 'error' });
  });
});

describe('a child that ends before its answer', () => {
  it('[P22] was lost when somebody killed it', async () => {
    const { outcome, reported } = await begin('work');
    process.kill(reported, 'SIGKILL');
    expect(await outcome).toMatchObject({
      kind: 'failed',
      failureClass: 'lost',
      signal: 'SIGKILL',
      processId: reported,
    });
  });

  it.each([0, 3])(
    '[P24][P52] has failed when it ended itself, with exit code %i, and its last words are kept',
    async (code) => {
      const outcome = await ask('exit', code);
      expect(outcome).toMatchObject({ failureClass: 'error', exitCode: code, logTail: 'last words\n' });
    },
  );

  it('[P70] leaves the end of what it wrote, however much that was', async () => {
    // Less than a pipe holds: an exit at once drops what does not fit into it.
    await ask('print', 'x'.repeat(50_000));
    const outcome = await ask('exit', 7);
    const { logTail } = outcome as RequestFailure;
    expect(logTail.endsWith('last words\n')).toBe(true);
    expect(logTail.length).toBeLessThan(10_000);
  });

  it('[P43] is killed when it shows no progress for too long', async () => {
    const outcome = await ask('silence', null, { stallMs: 1 });
    expect(outcome).toMatchObject({ failureClass: 'stalled', signal: 'SIGKILL' });
    expect(isGroupAlive(outcome.processId!)).toBe(false);
  });

  it('is killed when it grows beyond its memory, wherever the memory lies', async () => {
    const outcome = await ask('grow', null, { memoryMib: 150 });
    expect(outcome).toMatchObject({ failureClass: 'out_of_memory', signal: 'SIGKILL' });
    expect(outcome.peakRssMib).toBeGreaterThan(150);
  });

  it('[P19] [P53] leaves no process of its own behind, and is not waited for because of one', async () => {
    const { outcome, reported: grandchild } = await begin('abandon');
    expect(await outcome).toMatchObject({ failureClass: 'lost' });
    await vi.waitUntil(() => isGone(grandchild), PATIENCE);
  });
});

describe('cancelling a request', () => {
  it('[P19] [P53] throws the reason, when the child and all it started are gone', async () => {
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

/** A pool with other settings, for one test. */
function poolWith(options: ChildPoolOptions, idleMs = 60_000): void {
  children = createChildPool(PROGRAM, idleMs, options);
}

const reserve = (runId: string, memoryMib: number) =>
  children.reserve({ runId, memoryMib, signal: new AbortController().signal });

describe('the environment of a child', () => {
  it('holds nothing of the worker’s but what it needs', async () => {
    const secrets = {
      THAW_DATABASE_URL: 'postgres://u:secret@h/d',
      AWS_SECRET_ACCESS_KEY: 'secret',
      NODE_OPTIONS: '--no-warnings',
    };
    for (const [name, value] of Object.entries(secrets)) vi.stubEnv(name, value);
    vi.stubEnv('THAW_ARTIFACTS', '/somewhere');
    poolWith({});
    const outcome = await ask('environment');
    vi.unstubAllEnvs();
    if (outcome.kind !== 'done') throw new Error(outcome.message);
    const told = outcome.result as Record<string, string>;
    expect(told).toMatchObject({ PATH: process.env['PATH'], THAW_ARTIFACTS: '/somewhere' });
    const allowed = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'THAW_HOME', 'THAW_ARTIFACTS', 'THAW_LOG_LEVEL'];
    expect(Object.keys(told).filter((name) => !allowed.includes(name))).toEqual([]);
  });
});

describe('the process of a run that is over', () => {
  const handedOn = async (options: ChildPoolOptions, runId = 'over'): Promise<number> => {
    poolWith(options);
    const { processId } = await echo(runId);
    await children.handOn(runId);
    return processId;
  };

  it('serves the next run of the same limit, to which nothing is told of what it printed before', async () => {
    poolWith({ unownedMax: 1 });
    const first = await ask('print', 'a line of the run before', { runId: 'over' });
    await children.handOn('over');
    const next = await ask('fail', 'WORLD_DISK', { runId: 'next' });
    expect(next).toMatchObject({ processId: first.processId, logTail: expect.not.stringContaining('run before') });
  });

  it('serves nobody of another limit', async () => {
    const processId = await handedOn({ unownedMax: 1 });
    expect((await echo('next', { memoryMib: 513 })).processId).not.toBe(processId);
  });

  it('ends where enough of them wait, or when it has nearly grown to its limit', async () => {
    const processId = await handedOn({ unownedMax: 0 });
    expect(isGone(processId)).toBe(true);
    poolWith({ unownedMax: 1 });
    const { processId: grown } = await ask('hold', 170, { memoryMib: 256 });
    await children.handOn('run');
    expect(isGone(grown!)).toBe(true);
  });

  it('ends when nobody wanted it for long', async () => {
    poolWith({ unownedMax: 1 }, 1_000);
    const { processId } = await echo();
    await children.handOn('run');
    await vi.waitUntil(() => isGone(processId), PATIENCE);
    expect((await echo()).processId).not.toBe(processId);
  });
});

describe('the memory of idle children', () => {
  const budget = { limitMib: 1100, isChosen: true };

  it('is taken from the oldest of them for a run that is to be at work, and only as much as is missing', async () => {
    poolWith({ budget });
    const [oldest, newest] = [await echo('a'), await echo('b')];
    await reserve('c', 300);
    expect([isGone(oldest.processId), isGone(newest.processId)]).toEqual([true, false]);
  });

  it('is not taken from a run that is at work between two requests', async () => {
    poolWith({ budget });
    const { processId: atWork } = await echo('a');
    await reserve('a', 512);
    const { processId: idle } = await echo('b');
    await reserve('c', 512);
    expect(isGone(atWork)).toBe(false);
    // It fits the run that needed the room, which takes it over.
    expect((await echo('c')).processId).toBe(idle);
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
    const { processId } = await ask('hold', 170, { memoryMib: 256 });
    expect((await echo('run', { memoryMib: 256 })).processId).not.toBe(processId);
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
      lessMemory: '',
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

  it('[P19] end by themselves when the worker was killed', async () => {
    const owner = spawn(process.execPath, [OWNER, PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(owner.stdout, 'data')) as [Buffer];
    const processId = Number.parseInt(line.toString(), 10);
    expect(isGone(processId)).toBe(false);
    owner.kill('SIGKILL');
    await vi.waitUntil(() => isGone(processId), PATIENCE);
  });
});
