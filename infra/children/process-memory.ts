import { readFileSync } from 'node:fs';

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

/** How many processes the kernel has killed for memory in our control group; 0 where it does not tell. */
export function outOfMemoryKillCount(): number {
  try {
    const group = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1] ?? '/';
    const events = readFileSync(`/sys/fs/cgroup${group}/memory.events`, 'utf8');
    return Number(/^oom_kill (\d+)$/m.exec(events)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
