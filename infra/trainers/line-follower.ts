import { type FileHandle, open } from 'node:fs/promises';
import { ThawError } from '../../schemas/errors.ts';

const CHUNK_BYTES = 2 ** 16;
const LINE_BYTES_MAX = 2 ** 20;
const NEWLINE = 0x0a;

/** Reads the lines of a file that somebody else appends to, each once and whole. */
export class LineFollower {
  private readonly handle: FileHandle;
  private readonly onLine: (text: string, line: number) => void;
  private rest = Buffer.alloc(0);
  private lineCount = 0;

  private constructor(handle: FileHandle, onLine: (text: string, line: number) => void) {
    this.handle = handle;
    this.onLine = onLine;
  }

  /** @param onLine lines count from 1; empty ones are left out */
  static async open(file: string, onLine: (text: string, line: number) => void): Promise<LineFollower> {
    return new LineFollower(await open(file, 'a+'), onLine);
  }

  /** Reads what has been written since. @throws REQUEST_BAD_ARGUMENT for a line that never ends, and what `onLine` throws */
  async read(): Promise<void> {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await this.handle.read(chunk, 0, CHUNK_BYTES);
      if (bytesRead === 0) return;
      this.take(Buffer.concat([this.rest, chunk.subarray(0, bytesRead)]));
    }
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  private take(bytes: Buffer): void {
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      const text = bytes.subarray(from, end).toString('utf8').trim();
      from = end + 1;
      this.lineCount += 1;
      if (text !== '') this.onLine(text, this.lineCount);
    }
    this.rest = Buffer.from(bytes.subarray(from));
    if (this.rest.length <= LINE_BYTES_MAX) return;
    throw new ThawError(
      'REQUEST_BAD_ARGUMENT',
      `line ${this.lineCount + 1} of the trainer's events has more than ${LINE_BYTES_MAX} bytes`,
      { remedy: 'End each event with a line feed.' },
    );
  }
}
