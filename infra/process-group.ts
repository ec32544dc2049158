import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 20;
/** How long the kernel gets to remove a group after SIGKILL; only a process stuck in the kernel needs longer. */
const KILL_MS = 10_000;

/** What distinguishes a process from a later one with the same id: the boot and its start within it. */
export type ProcessIdentity = string;

/**
 * Ends a process group: signal, grace, SIGKILL, and then waits until no member is left.
 *
 * @param groupId process id of the group's leader, which was started with `detached: true`
 * @param options.graceMs how long the group may take to end by itself
 * @param options.signal the first signal, SIGTERM unless the program wants another
 * @returns whether the group is gone; false only for processes that even SIGKILL does not end
 */
export async function terminateGroup(
  groupId: number,
  options: { graceMs: number; signal?: NodeJS.Signals },
): Promise<boolean> {
  signalGroup(groupId, options.signal ?? 'SIGTERM');
  if (await groupEndsWithin(groupId, options.graceMs)) return true;
  signalGroup(groupId, 'SIGKILL');
  return groupEndsWithin(groupId, KILL_MS);
}

/** Whether a member of the group still runs. Zombies do not count: nobody may be there to reap them in a container. */
export function isGroupAlive(groupId: number): boolean {
  if (!answersSignals(-groupId)) return false;
  if (process.platform !== 'linux') return true;
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .some((entry) => {
      const status = readProcessStatus(Number(entry));
      return status !== null && status.groupId === groupId && !status.isZombie;
    });
}

/** Whether this very process still runs, and not another one that got its id later. */
export function isSameProcessAlive(pid: number, identity: ProcessIdentity): boolean {
  return processIdentity(pid) === identity;
}

/** The identity of a running process, or null when there is none with this id (a zombie counts as none). */
export function processIdentity(pid: number): ProcessIdentity | null {
  if (process.platform === 'linux') {
    const status = readProcessStatus(pid);
    return status === null || status.isZombie ? null : `${bootId()}:${status.startTicks}`;
  }
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}

function signalGroup(groupId: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-groupId, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function groupEndsWithin(groupId: number, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (isGroupAlive(groupId)) {
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Fields 3, 5 and 22 of /proc/PID/stat (proc(5)). The name, field 2, may hold spaces and brackets, so count from its end. */
function readProcessStatus(pid: number): { isZombie: boolean; groupId: number; startTicks: string } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { isZombie: /^[ZX]/.test(fields[0]!), groupId: Number(fields[2]), startTicks: fields[19]! };
  } catch {
    return null;
  }
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}
