import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ThawError } from '../../schemas/errors.ts';

const FILES_MAX = 10_000;
/** Of all files of a folder together: they become one artifact. */
const BYTES_MAX = 2 * 2 ** 30;

/**
 * All files of a folder and of those in it, by path within it with "/". Times, owners and modes are left out, so that equal
 * contents are equal.
 * @throws REQUEST_BAD_ARGUMENT when it holds links or other things that are no files, or too much
 */
export async function readFolder(folder: string): Promise<Map<string, Uint8Array>> {
  const contents = new Map<string, Uint8Array>();
  let byteCount = 0;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (entry.isDirectory()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, file).split(path.sep).join('/');
    if (!entry.isFile()) throw refused(`${name} in it is no ordinary file`, 'Write files into it, and no links.');
    byteCount += (await lstat(file)).size;
    if (contents.size === FILES_MAX || byteCount > BYTES_MAX) {
      throw refused(
        `it holds more than ${FILES_MAX} files or ${BYTES_MAX / 2 ** 20} MiB`,
        'Keep less in a checkpoint.',
      );
    }
    contents.set(name, await readFile(file));
  }
  return contents;
}

function refused(what: string, remedy: string): ThawError {
  return new ThawError('REQUEST_BAD_ARGUMENT', `the checkpoint folder of the trainer cannot be kept: ${what}`, {
    remedy,
  });
}

/** @param contents by path within the folder */
export async function writeFolder(folder: string, contents: ReadonlyMap<string, Uint8Array>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, bytes] of contents) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }
}
