import { readdirSync, readFileSync } from 'node:fs';
import type { Configuration } from '../../infra/configuration.ts';
import { isSameProcessAlive, processIdentity, type ProcessIdentity } from '../../infra/process-group.ts';
import { supervisorStatus } from '../../infra/services/supervisor-client.ts';

/** What can be killed in the middle of a run. */
export const VICTIMS = ['training child', 'worker', 'temporal', 'postgres'] as const;
export type Victim = (typeof VICTIMS)[number];

/** A process that was killed, or whose parent was: none of them may be left at the end. */
export interface Doomed {
  readonly pid: number;
  readonly identity: ProcessIdentity;
}

/**
 * Kills one component with SIGKILL.
 * @returns the process and, of a worker, the children that must follow it; empty when it was not running just now
 */
export async function kill(configuration: Configuration, victim: Victim): Promise<Doomed[]> {
  const services = (await supervisorStatus(configuration))?.services ?? [];
  const pidOf = (name: string): number | null => services.find((service) => service.name === name)?.pid ?? null;
  const worker = pidOf('worker');
  const children = worker === null ? [] : childrenOf(worker);
  const pid = victim === 'training child' ? children[0] : pidOf(victim);
  if (pid === undefined || pid === null) return [];
  const doomed = victim === 'worker' ? [pid, ...children] : [pid];
  const identified = doomed.flatMap((each) => {
    const identity = processIdentity(each);
    return identity === null ? [] : [{ pid: each, identity }];
  });
  process.kill(pid, 'SIGKILL');
  return identified;
}

/** Those that still live. */
export function survivors(doomed: readonly Doomed[]): Doomed[] {
  return doomed.filter(({ pid, identity }) => isSameProcessAlive(pid, identity));
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent)
    .sort((left, right) => left - right);
}

function parentOf(pid: number): number | null {
  try {
    // The name in the second field may hold spaces and brackets; what follows its last bracket does not.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}
