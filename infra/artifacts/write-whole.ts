import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm, statfs } from 'node:fs/promises';
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
  const whole = await openWhole(file);
  await whole.write(content);
  await whole.finish();
}

/** A file that is written piece by piece, and appears at its end: whole, or not at all. */
export interface WholeFile {
  /** Written so far. */
  readonly bytes: number;
  /** @throws WORLD_DISK; nothing is left then */
  write(content: Uint8Array): Promise<void>;
  /** Makes it appear. @throws WORLD_DISK; nothing is left then */
  finish(): Promise<void>;
  /** Leaves nothing of it. */
  abandon(): Promise<void>;
}

/** Begins a file, and its folder where that is missing. @throws WORLD_DISK */
export async function openWhole(file: string): Promise<WholeFile> {
  const temporary = `${file}.${randomUUID()}${PARTIAL_ENDING}`;
  const folder = path.dirname(file);
  let handle: FileHandle | null = null;
  let bytes = 0;
  const abandon = async (): Promise<void> => {
    // What cannot be closed or removed now is swept later; why it could not be written matters more.
    await handle?.close().catch(() => undefined);
    handle = null;
    await rm(temporary, { force: true }).catch(() => undefined);
  };
  const orAbandon = async (work: () => Promise<void>, byteCount: number): Promise<void> => {
    try {
      await work();
    } catch (error) {
      await abandon();
      throw await errorOfWrite(error as NodeJS.ErrnoException, folder, byteCount);
    }
  };
  await orAbandon(async () => {
    await mkdir(folder, { recursive: true });
    handle = await open(temporary, 'w');
  }, 0);
  return {
    get bytes() {
      return bytes;
    },
    write: (content) =>
      orAbandon(async () => {
        await handle!.writeFile(content);
        bytes += content.length;
      }, content.length),
    finish: () =>
      orAbandon(async () => {
        await settle(handle!);
        handle = null;
        await rename(temporary, file);
        await syncFolder(folder);
      }, bytes),
    abandon,
  };
}

/** What was written is on the disk. */
async function settle(handle: FileHandle): Promise<void> {
  try {
    // By the clock of this program, and not by the kernel's, which may lag behind by some milliseconds.
    await handle.utimes(new Date(), new Date());
    await handle.sync();
  } finally {
    await handle.close();
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
