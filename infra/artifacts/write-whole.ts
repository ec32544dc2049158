import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { ThawError } from '../../schemas/errors.ts';

/** Of a full disk, a full quota, and a limit on the size of files. */
const NO_SPACE = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** What the temporary file of a write is called at its end; one that stays was cut short. */
export const PARTIAL_ENDING = '.partial';

/**
 * Writes a file: temporary file, fsync, rename. A crash at any moment leaves either nothing or the whole.
 * @throws WORLD_DISK; nothing is left then
 */
export async function writeWhole(file: string, content: Uint8Array): Promise<void> {
  const temporary = `${file}.${randomUUID()}${PARTIAL_ENDING}`;
  const folder = path.dirname(file);
  try {
    await mkdir(folder, { recursive: true });
    const handle = await open(temporary, 'w');
    try {
      await handle.writeFile(content);
      // By the clock of this program, and not by the kernel's, which may lag behind by some milliseconds.
      await handle.utimes(new Date(), new Date());
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
    await syncFolder(folder);
  } catch (error) {
    // What cannot be removed now is swept later; why it could not be written matters more.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw await errorOfWrite(error as NodeJS.ErrnoException, folder, content.length);
  }
}

async function errorOfWrite(error: NodeJS.ErrnoException, folder: string, bytes: number): Promise<ThawError> {
  if (!NO_SPACE.includes(error.code ?? '')) {
    return new ThawError('WORLD_DISK', `A file could not be written to ${folder}: ${error.message}`, { cause: error });
  }
  const free = await statfs(folder).then(
    ({ bavail, bsize }) => `, where ${bavail * bsize} are free`,
    () => '',
  );
  return new ThawError(
    'WORLD_DISK',
    `There is no space left in ${folder} (${error.code}): ${bytes} bytes were to be written${free}.`,
    { cause: error, remedy: 'Free some space: `thaw gc` removes what is not needed; then `thaw retry --failed`.' },
  );
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
