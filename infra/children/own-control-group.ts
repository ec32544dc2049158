import { readFileSync } from 'node:fs';
import path from 'node:path';

const BYTES_PER_MIB = 2 ** 20;

/** The control groups that a process counts in, in one of the kernel's two kinds. */
interface MemoryGroups {
  readonly version: 1 | 2;
  /** Their folders: its own first, then those around it. In a container some may be hidden. */
  readonly folders: readonly string[];
}

/**
 * The least limit of memory among the control groups of this process, in MiB; Infinity where there is none.
 * @param root a folder that looks like `/`
 */
export function groupMemoryLimitMib(root = '/'): number {
  const { version, folders } = memoryGroups(root);
  const file = version === 1 ? 'memory.limit_in_bytes' : 'memory.max';
  // `max` is no number; version 1 writes a number larger than any memory.
  const limits = folders.map((folder) => Number(textOf(path.join(folder, file))?.trim() || NaN));
  return Math.min(...limits.filter((limit) => !Number.isNaN(limit))) / BYTES_PER_MIB;
}

/** How many processes the kernel has killed for memory in our control group; 0 where it does not tell. */
export function outOfMemoryKillCount(root = '/'): number {
  const { folders } = memoryGroups(root);
  return folders.map(killCountOf).find((count) => count !== null) ?? 0;
}

/**
 * How many processes of a control group the kernel has killed for memory; null where it does not tell. Kernels before
 * 4.13 count in version 1 only how often the limit was reached.
 */
export function killCountOf(folder: string): number | null {
  const counted = textOf(path.join(folder, 'memory.events')) ?? textOf(path.join(folder, 'memory.oom_control'));
  if (counted === null) return null;
  const count = /^oom_kill (\d+)$/m.exec(counted)?.[1] ?? textOf(path.join(folder, 'memory.failcnt'));
  return count === null ? null : Number(count);
}

/** A controller of version 1 has a line of its own in the list; where there is none, version 2 counts the memory. */
function memoryGroups(root: string): MemoryGroups {
  const lines = (textOf(path.join(root, 'proc/self/cgroup')) ?? '').split('\n').map((line) => line.split(':'));
  const line = lines.find(([, controllers]) => controllers?.split(',').includes('memory'));
  const version = line === undefined ? 2 : 1;
  const group = (line ?? lines.find(([id]) => id === '0'))?.slice(2).join(':') ?? '/';
  const base = path.join(root, 'sys/fs/cgroup', version === 1 ? 'memory' : '');
  const parts = group.split('/').filter((part) => part !== '');
  const folders = parts.map((_, index) => path.join(base, ...parts.slice(0, parts.length - index)));
  return { version, folders: [...folders, base] };
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
