import type { Configuration } from '../../infra/configuration.ts';
import { isSameProcessAlive, processIdentity, type ProcessIdentity } from '../../infra/process-group.ts';
import { readSupervisorRecord } from '../../infra/services/supervisor-record.ts';
import { childrenOf, descendantsOf } from './process-table.ts';

/** What can be killed in the middle of a run. */
export const VICTIMS = ['training child', 'worker', 'temporal', 'postgres'] as const;
export type Victim = (typeof VICTIMS)[number] | 'supervisor' | 'everything at once';

/** A process that was killed, or whose parent was: none of them may be left at the end. */
export interface Doomed {
  readonly pid: number;
  readonly identity: ProcessIdentity;
}

export interface KillOptions {
  readonly signal?: NodeJS.Signals;
  /** Which of so many training processes; the first by default. */
  readonly choose?: (count: number) => number;
}

/**
 * Sends a signal to one component, SIGKILL unless another is asked for.
 * @returns the process and what it had started, which must follow it; of the supervisor itself only, because its services
 *   live on. Empty when the component was not running just now
 */
export function kill(configuration: Configuration, victim: Victim, options: KillOptions = {}): Doomed[] {
  const { signal = 'SIGKILL' } = options;
  const targets = targetsOf(configuration, victim, options);
  if (targets.length === 0) return [];
  const all = victim === 'supervisor' ? targets : targets.flatMap((pid) => [pid, ...descendantsOf(pid)]);
  const doomed = [...new Set(all)].flatMap((pid) => {
    const identity = processIdentity(pid);
    return identity === null ? [] : [{ pid, identity }];
  });
  for (const pid of targets) signalIfThere(pid, signal);
  return doomed;
}

/** Those that still live. */
export function survivors(doomed: readonly Doomed[]): Doomed[] {
  return doomed.filter(({ pid, identity }) => isSameProcessAlive(pid, identity));
}

/** The training processes of the home's worker. */
export function trainingChildren({ home }: Configuration): number[] {
  const worker = serviceProcess(home, 'worker');
  return worker === null ? [] : childrenOf(worker);
}

function targetsOf(configuration: Configuration, victim: Victim, { choose = () => 0 }: KillOptions): number[] {
  const { home } = configuration;
  if (victim === 'training child') {
    const children = trainingChildren(configuration);
    return children.length === 0 ? [] : [children[choose(children.length)]!];
  }
  const names = victim === 'everything at once' ? ['supervisor', 'worker', 'temporal', 'postgres'] : [victim];
  const pids = names.map((name) => serviceProcess(home, name));
  if (pids.includes(null)) return [];
  return [...(pids as number[]), ...(victim === 'everything at once' ? trainingChildren(configuration) : [])];
}

/** The id of a running service; null when it is not running just now. Found in the supervisor's record, which outlives it. */
export function serviceProcess(home: string, name: string): number | null {
  const process = readSupervisorRecord(home)?.processes[name];
  return process !== undefined && isSameProcessAlive(process.pid, process.identity) ? process.pid : null;
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
