import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Bytes of a file of JSON: actions, starts, simulators. */
export const JSON_BYTES_MAX = 64 * 2 ** 20;
/** Bytes of a policy. */
export const POLICY_BYTES_MAX = 256 * 2 ** 20;

const CHUNK_BYTES = 2 ** 20;

/**
 * Reads a file to its end, also one without a size such as a pipe, but no more than a limit.
 *
 * @param options.isPlain whether it must be an ordinary file: one that a spec names may be of a stranger's choice
 * @throws the error of the file system, or one that says why it is not read
 */
export async function readLimited(
  file: string,
  { bytesMax, isPlain = false }: { bytesMax: number; isPlain?: boolean },
): Promise<Buffer> {
  // Opening a pipe would wait for somebody to write to it.
  const handle = await open(file, isPlain ? constants.O_RDONLY | constants.O_NONBLOCK : constants.O_RDONLY);
  try {
    if (isPlain && !(await handle.stat()).isFile()) throw new Error('it is no ordinary file');
    return await readWithin(handle, bytesMax);
  } finally {
    await handle.close();
  }
}

async function readWithin(handle: FileHandle, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let count = 0; ;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES);
    if (bytesRead === 0) return Buffer.concat(chunks);
    count += bytesRead;
    if (count > bytesMax) throw new Error(`it has more than ${bytesMax / 2 ** 20} MiB`);
    chunks.push(buffer.subarray(0, bytesRead));
  }
}
