import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { isGroupAlive, isSameProcessAlive, processIdentity, terminateGroup } from './process-group.ts';

const started: ChildProcess[] = [];

/** Starts a shell as leader of its own group, and returns once it said so. */
async function startGroup(script: string): Promise<number> {
  const child = spawn('sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  started.push(child);
  await once(child.stdout, 'data');
  return child.pid!;
}

afterEach(() => {
  for (const child of started.splice(0)) {
    if (isGroupAlive(child.pid!)) process.kill(-child.pid!, 'SIGKILL');
  }
});

describe('terminateGroup', () => {
  it('ends the leader and its children with the first signal', async () => {
    const group = await startGroup('sleep 100 & echo ready; wait');
    expect(isGroupAlive(group)).toBe(true);
    expect(await terminateGroup(group, { graceMs: 5_000 })).toBe(true);
    expect(isGroupAlive(group)).toBe(false);
  });

  it('kills a group that ignores the signal, after the grace', async () => {
    const group = await startGroup('trap "" TERM; sleep 100 & echo ready; wait; wait');
    expect(await terminateGroup(group, { graceMs: 100 })).toBe(true);
    expect(isGroupAlive(group)).toBe(false);
  });

  it('ends children whose leader has died already', async () => {
    const group = await startGroup('sleep 100 & echo ready; exit 0');
    expect(isGroupAlive(group)).toBe(true);
    expect(await terminateGroup(group, { graceMs: 1_000 })).toBe(true);
    expect(isGroupAlive(group)).toBe(false);
  });

  it('is content with a group that is gone', async () => {
    const group = await startGroup('echo ready');
    await terminateGroup(group, { graceMs: 1_000 });
    expect(await terminateGroup(group, { graceMs: 0 })).toBe(true);
  });
});

describe('processIdentity', () => {
  it('stays with a process, differs between processes, and ends with it', async () => {
    const group = await startGroup('echo ready; sleep 100');
    const identity = processIdentity(group)!;
    expect(processIdentity(group)).toBe(identity);
    expect(isSameProcessAlive(group, identity)).toBe(true);
    expect(isSameProcessAlive(process.pid, identity)).toBe(false);
    await terminateGroup(group, { graceMs: 1_000 });
    expect(isSameProcessAlive(group, identity)).toBe(false);
  });
});
