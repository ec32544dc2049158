import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { ThawError } from '../../schemas/errors.ts';
import type { ArtifactStore } from './artifact-store.ts';

/** Artifacts as files of one folder, spread over 256 subfolders by the first byte of their hash. */
export function createFolderStore(folder: string): ArtifactStore {
  const fileOf = (hash: string): string => path.join(folder, hash.slice(0, 2), hash);
  return {
    async write(content) {
      const hash = createHash('sha256').update(content).digest('hex');
      const file = fileOf(hash);
      const known = await stat(file).catch(() => null);
      if (known?.size !== content.length) await writeWhole(file, content);
      return { hash, bytes: content.length };
    },
    async read(hash) {
      const content = await readFile(fileOf(hash)).catch((error: unknown) => {
        throw new ThawError('WORLD_DISK', `The artifact ${hash} is missing from ${folder}.`, { cause: error });
      });
      const actual = createHash('sha256').update(content).digest('hex');
      if (actual === hash) return content;
      // Out of the way, so that the next one to write this content is not told that it is there.
      await rename(fileOf(hash), `${fileOf(hash)}.damaged`);
      throw new ThawError('WORLD_DISK', `The artifact ${hash} is damaged: its content is ${actual}.`);
    },
    remove: (hash) => rm(fileOf(hash), { force: true }),
  };
}

/** Temporary file, fsync, rename: a crash at any moment leaves either nothing or the whole. */
async function writeWhole(file: string, content: Uint8Array): Promise<void> {
  const temporary = `${file}.${randomUUID()}.partial`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    const handle = await open(temporary, 'w');
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
    await syncFolder(path.dirname(file));
  } catch (error) {
    await rm(temporary, { force: true });
    throw new ThawError('WORLD_DISK', `The artifact could not be written to ${path.dirname(file)}: ${String(error)}`, {
      cause: error,
    });
  }
}

/** The name of a new file is durable only when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
