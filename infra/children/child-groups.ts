import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ThawError } from '../../schemas/errors.ts';
import { killCountOf } from './own-control-group.ts';

const BYTES_PER_MIB = 2 ** 20;
const PREFIX = 'thaw-';

/** A control group with a limit of memory, for one training process. */
export interface ChildGroup {
  readonly folder: string;
  add(pid: number): void;
  /** How many processes the kernel has killed because of this limit. */
  killCount(): number;
  /** To be called when its process is gone. */
  remove(): void;
}

/** Makes control groups inside of one. */
export interface ChildGroups {
  readonly folder: string;
  /** Null when the kernel refuses it: the process is watched all the same. */
  open(memoryMib: number): ChildGroup | null;
}

/**
 * Prepares a control group, of either version, to be divided among training processes.
 * @param folder below `/sys/fs/cgroup`; ours alone, and in version 2 without processes of its own
 * @throws REQUEST_BAD_ARGUMENT when the kernel does not let us
 */
export function openChildGroups(folder: string): ChildGroups {
  const version = versionOf(folder);
  const groups: ChildGroups = {
    folder,
    open(memoryMib) {
      sweep(folder);
      try {
        return makeGroup(folder, version === 1 ? 'memory.limit_in_bytes' : 'memory.max', memoryMib);
      } catch {
        return null;
      }
    },
  };
  if (version === 2) passMemoryOn(folder);
  const probe = groups.open(1);
  if (probe === null) throw notDivisible(folder, 'no group with a limit of memory can be made in it');
  probe.remove();
  return groups;
}

function versionOf(folder: string): 1 | 2 {
  if (existsSync(path.join(folder, 'cgroup.controllers'))) return 2;
  if (existsSync(path.join(folder, 'memory.limit_in_bytes'))) return 1;
  throw notDivisible(folder, 'it is no control group that counts memory');
}

/** Groups in a group of version 2 count memory only when it says so. */
function passMemoryOn(folder: string): void {
  const file = path.join(folder, 'cgroup.subtree_control');
  try {
    if (!/\bmemory\b/.test(readFileSync(file, 'utf8'))) writeFileSync(file, '+memory');
  } catch (error) {
    throw notDivisible(folder, `${(error as Error).message} (it must be empty of processes, and have memory)`);
  }
}

function makeGroup(parent: string, limitFile: string, memoryMib: number): ChildGroup {
  const folder = path.join(parent, `${PREFIX}${randomUUID()}`);
  mkdirSync(folder);
  const group: ChildGroup = {
    folder,
    add: (pid) => writeFileSync(path.join(folder, 'cgroup.procs'), String(pid)),
    killCount: () => killCountOf(folder) ?? 0,
    remove: () => removeIfEmpty(folder),
  };
  try {
    writeFileSync(path.join(folder, limitFile), String(memoryMib * BYTES_PER_MIB));
    return group;
  } catch (error) {
    group.remove();
    throw error;
  }
}

/** A worker that was killed leaves its groups behind. The kernel keeps those in which something runs. */
function sweep(parent: string): void {
  for (const name of readdirSync(parent)) if (name.startsWith(PREFIX)) removeIfEmpty(path.join(parent, name));
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Its process is not quite gone yet; whoever opens the next group tries again.
  }
}

function notDivisible(folder: string, reason: string): ThawError {
  return new ThawError('REQUEST_BAD_ARGUMENT', `THAW_CONTROL_GROUP: ${folder} cannot be divided: ${reason}.`, {
    remedy: 'Name a control group that this user may write to, or unset the variable: memory is watched without it.',
  });
}
