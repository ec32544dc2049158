import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a file or folder that several processes may want at once. It is made under another name beside its place and then
 * renamed: so it is there whole or not at all, and when two make it, the first folder and the last file stay.
 *
 * @param make creates the file or folder at the path it is given
 */
export async function placeOnce(target: string, make: (temporary: string) => Promise<void>): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true });
  const temporary = `${target}.${randomUUID().slice(0, 8)}.partial`;
  try {
    await make(temporary);
    await rename(temporary, target);
  } catch (error) {
    const isMadeByAnother = ['ENOTEMPTY', 'EEXIST'].includes(String((error as NodeJS.ErrnoException).code));
    if (!isMadeByAnother) throw error;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
