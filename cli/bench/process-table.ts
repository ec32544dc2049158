import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_S = 100;

/** A process as the kernel lists it. */
interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
}

/** Every process that a process started, and what these started, as they are now. */
export function descendantsOf(ancestor: number): number[] {
  const all = listProcesses();
  const found = [ancestor];
  for (const pid of found) {
    for (const process of all) if (process.parent === pid) found.push(process.pid);
  }
  return found.slice(1);
}

/** Processes that a process itself started, lowest id first. */
export function childrenOf(parent: number): number[] {
  return listProcesses()
    .filter((process) => process.parent === parent)
    .map(({ pid }) => pid);
}

/** Processes that name a folder in their command line or environment. */
export function processesNaming(folder: string): number[] {
  return listProcesses()
    .map(({ pid }) => pid)
    .filter((pid) => pid !== process.pid && ['cmdline', 'environ'].some((file) => read(pid, file).includes(folder)));
}

/**
 * A field of `/proc/PID/status` or `/proc/PID/smaps_rollup`, in MiB; 0 for a process that is gone. `Pss` shares out what
 * several processes have in common, so that it can be added up.
 */
export function memoryMib(pid: number, field: 'Pss' | 'VmData' | 'VmHWM'): number {
  const text = read(pid, field === 'Pss' ? 'smaps_rollup' : 'status');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / 1024;
}

function listProcesses(): ListedProcess[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .sort((left, right) => left - right)
    .flatMap((pid) => {
      // The name in the second field may hold spaces and brackets; what follows its last bracket does not.
      const stat = read(pid, 'stat');
      return stat === '' ? [] : [{ pid, parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) }];
    });
}

/** What the kernel tells of a process; empty when it is gone, or does not let us look. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** Seconds of processor time of a process and of its children that have ended. */
export function processorS(pid: number): { readonly own: number; readonly ended: number } {
  const stat = read(pid, 'stat');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // Fields 14 to 17 of proc(5), in ticks of 10 ms; the first here is field 3.
  const seconds = (from: number): number => (Number(fields[from] ?? 0) + Number(fields[from + 1] ?? 0)) / TICKS_PER_S;
  return { own: seconds(11), ended: seconds(13) };
}
