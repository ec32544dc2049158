import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { ThawError } from '../../schemas/errors.ts';
import type { ListedArtifactStore, StoredFile } from './artifact-store.ts';
import { PARTIAL_ENDING, writeWhole } from './write-whole.ts';

/** An artifact that is about to be deleted; one that stays was left by a deletion that was cut short. */
const ASIDE_ENDING = '.removed';
/** What an artifact is called. */
const HASH = /^[0-9a-f]{64}$/;
/** No deletion takes so long. */
const ASIDE_MS = 60_000;
/** Left where earlier versions found an artifact that was not what its name says. */
const DAMAGED_ENDING = '.damaged';
/** File systems keep times to a fraction of a millisecond only. */
const ROUNDING_MS = 1;

/** Artifacts as files of one folder, spread over 256 subfolders by the first byte of their hash. */
export function createFolderStore(folder: string): ListedArtifactStore {
  const fileOf = (hash: string): string => {
    // A row from elsewhere may hold anything, and must not name a file outside of the folder.
    if (!HASH.test(hash)) throw new ThawError('DEFECT_INVARIANT', `${JSON.stringify(hash)} is no name of an artifact.`);
    return path.join(folder, hash.slice(0, 2), hash);
  };
  return {
    async write(content) {
      const hash = hashOf(content);
      const file = fileOf(hash);
      // Touched first: whoever wants to delete it looks at its time after taking it aside.
      if (!(await touch(file)) || !(await holds(file, content))) await writeWhole(file, content);
      return { hash, bytes: content.length };
    },
    async read(hash) {
      const found = await look(folder, fileOf(hash), hash);
      if (found.content !== null) return found.content;
      throw new ThawError('WORLD_DISK', `The artifact ${hash} of ${folder} ${found.flaw}.`);
    },
    flawOf: async (hash) => (await look(folder, fileOf(hash), hash)).flaw,
    remove: async (hash, { untouchedSinceMs }) => removeUntouched(fileOf(hash), untouchedSinceMs),
    list: () => listFiles(folder),
    removeLeftOver: ({ name }) => rm(path.join(folder, name), { force: true }),
  };
}

const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

type Found = { readonly content: Buffer; readonly flaw: null } | { readonly content: null; readonly flaw: string };

async function look(folder: string, file: string, hash: string): Promise<Found> {
  const content = await readFile(file).catch((error: NodeJS.ErrnoException) => error);
  if (!Buffer.isBuffer(content)) {
    // A sector that cannot be read is damage like any other.
    if (content.code === 'EIO') return { content: null, flaw: 'cannot be read from the disk' };
    if (content.code === 'ENOENT' && (await isThere(folder))) return { content: null, flaw: 'is missing' };
    throw new ThawError('WORLD_DISK', `The artifacts in ${folder} cannot be read: ${content.message}`, {
      cause: content,
      remedy: 'See that the folder is there, and may be read: a disk may not be mounted, or THAW_ARTIFACTS be wrong.',
    });
  }
  const actual = hashOf(content);
  if (actual === hash) return { content, flaw: null };
  return { content: null, flaw: `is damaged: its ${content.length} bytes have the hash ${actual}` };
}

async function isThere(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null)) !== null;
}

/** Says that somebody needs a file now. @returns whether it is there */
async function touch(file: string): Promise<boolean> {
  const now = new Date();
  try {
    await utimes(file, now, now);
    return true;
  } catch {
    return false;
  }
}

async function holds(file: string, content: Uint8Array): Promise<boolean> {
  const known = await readFile(file).catch(() => null);
  return known?.equals(content) === true;
}

/**
 * Taken aside, looked at, deleted: whoever writes the same bytes before it is taken aside has touched it, which is seen
 * here; whoever comes later does not find it, and writes it anew.
 */
async function removeUntouched(file: string, untouchedSinceMs: number): Promise<boolean> {
  const isUntouched = async (name: string): Promise<boolean> => {
    const known = await stat(name).catch(() => null);
    return known !== null && known.mtimeMs + ROUNDING_MS < untouchedSinceMs;
  };
  if (!(await isUntouched(file))) return false;
  const aside = `${file}.${randomUUID()}${ASIDE_ENDING}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  if (await isUntouched(aside)) {
    await rm(aside, { force: true });
    return true;
  }
  await rename(aside, file);
  return false;
}

async function* listFiles(folder: string): AsyncIterable<StoredFile> {
  for (const subfolder of await readdir(folder).catch(() => [])) {
    if (!/^[0-9a-f]{2}$/.test(subfolder)) continue;
    for (const found of (await readdir(path.join(folder, subfolder))).sort()) {
      const name = path.join(subfolder, await putBack(path.join(folder, subfolder), found));
      const known = await stat(path.join(folder, name)).catch(() => null);
      const hash = HASH.exec(path.basename(name))?.[0] ?? null;
      const isLeftOver = [PARTIAL_ENDING, DAMAGED_ENDING].some((ending) => name.endsWith(ending));
      if (known === null || (hash === null && !isLeftOver)) continue;
      yield { name, hash, bytes: known.size, writtenAtMs: known.mtimeMs };
    }
  }
}

/** Undoes a deletion that was cut short. @returns how the file is called now */
async function putBack(folder: string, name: string): Promise<string> {
  if (!name.endsWith(ASIDE_ENDING)) return name;
  const known = await stat(path.join(folder, name)).catch(() => null);
  if (known === null || Date.now() - known.ctimeMs < ASIDE_MS) return name;
  const hash = name.slice(0, 64);
  await rename(path.join(folder, name), path.join(folder, hash)).catch(() => undefined);
  return hash;
}
