import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

const KIB_PER_MIB = 1024;

/** Resident memory of a process now and at its peak, in MiB; null when it is gone or the platform does not say. */
export function processMemory(pid: number): { rssMib: number; peakRssMib: number } | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const value = (field: string): number =>
      Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / KIB_PER_MIB;
    const memory = { rssMib: value('VmRSS'), peakRssMib: value('VmHWM') };
    return Number.isNaN(memory.peakRssMib) ? null : memory;
  } catch {
    return null;
  }
}

/**
 * Resident memory of a process and of everything that it has started, in MiB; null when it is gone or the platform does not
 * say. What they share counts for each.
 */
export function residentMib(pid: number): number | null {
  const own = processMemory(pid);
  if (own === null) return null;
  return descendantsOf(pid).reduce((sum, child) => sum + (processMemory(child)?.rssMib ?? 0), own.rssMib);
}

function descendantsOf(pid: number): number[] {
  const childrenOf = hasChildLists() ? listedChildren : childrenIn(parentsOfAll());
  const found = [pid];
  for (const each of found) found.push(...childrenOf(each));
  return found.slice(1);
}

/** Kernels without CONFIG_PROC_CHILDREN do not list them, and then all processes have to be looked at. */
const hasChildLists = (): boolean => existsSync(`/proc/self/task/${process.pid}/children`);

/** See proc_pid_task(5): those that any of its threads has started. */
function listedChildren(pid: number): number[] {
  return namesIn(`/proc/${pid}/task`)
    .flatMap((thread) => read(`/proc/${pid}/task/${thread}/children`).split(' '))
    .filter(Boolean)
    .map(Number);
}

const childrenIn =
  (parents: ReadonlyMap<number, number>) =>
  (pid: number): number[] =>
    [...parents].filter(([, parent]) => parent === pid).map(([child]) => child);

function parentsOfAll(): Map<number, number> {
  const processes = namesIn('/proc').filter((name) => /^\d+$/.test(name));
  return new Map(
    processes.map((name) => {
      const text = read(`/proc/${name}/stat`);
      // The name in the second field may hold spaces and brackets; what follows its last bracket does not.
      return [Number(name), Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])];
    }),
  );
}

/** Empty when there is no such thing, or no longer. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** From now on the peak of a process counts anew, where the platform can do that. */
export function forgetPeak(pid: number): void {
  try {
    // See proc_pid_clear_refs(5).
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // Its peak is then that of all its time.
  }
}
