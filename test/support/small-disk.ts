import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rmdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A folder in which only so much fits. */
export interface SmallDisk {
  readonly folder: string;
  /** What the system calls the lack of space. */
  readonly code: 'ENOSPC' | 'EFBIG';
  /** Makes room. Processes that were started before may not see it. */
  grow(): Promise<void>;
  end(): Promise<void>;
}

/**
 * A file system of so many bytes; where mounting is not allowed, a limit on the size of every file that this process and
 * those which it starts from now on write.
 */
export async function createSmallDisk(bytes: number, fileBytes: number): Promise<SmallDisk> {
  const folder = mkdtempSync(path.join(tmpdir(), 'thaw-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]);
  } catch {
    return limitFiles(folder, fileBytes);
  }
  return {
    folder,
    code: 'ENOSPC',
    grow: async () => void (await run('mount', ['-o', 'remount,size=64m', folder])),
    async end() {
      await run('umount', [folder]);
      await rmdir(folder);
    },
  };
}

/** The soft limit, so that it can be taken back. */
async function limitFiles(folder: string, fileBytes: number): Promise<SmallDisk> {
  const limit = (size: string) => run('prlimit', ['--pid', String(process.pid), `--fsize=${size}:`]);
  await limit(String(fileBytes));
  return {
    folder,
    code: 'EFBIG',
    grow: async () => void (await limit('unlimited')),
    async end() {
      await limit('unlimited');
      await rm(folder, { recursive: true });
    },
  };
}
