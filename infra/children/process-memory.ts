import { readFileSync, writeFileSync } from 'node:fs';

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

/** From now on the peak of a process counts anew, where the platform can do that. */
export function forgetPeak(pid: number): void {
  try {
    // See proc_pid_clear_refs(5).
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // Its peak is then that of all its time.
  }
}
