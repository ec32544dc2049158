import { closeSync, fstatSync, ftruncateSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const KEPT_BYTES = 4_000;
/** Whoever prints in every step must not fill a disk. */
const FILE_BYTES_MAX = 2 ** 20;

/** A file without a name that a process writes what it prints to, and that its end can be read from when it has died. */
export class LastWords {
  readonly descriptor: number;

  constructor() {
    const folder = mkdtempSync(path.join(tmpdir(), 'thaw-words-'));
    // What is appended goes to the end, also after the file was cut.
    this.descriptor = openSync(path.join(folder, 'words'), 'a+', 0o600);
    rmSync(folder, { recursive: true });
  }

  /** Forgets what was said, once it has become long. */
  limit(): void {
    if (fstatSync(this.descriptor).size > FILE_BYTES_MAX) ftruncateSync(this.descriptor, 0);
  }

  read(): string {
    const { size } = fstatSync(this.descriptor);
    const bytes = Buffer.alloc(Math.min(size, KEPT_BYTES));
    const count = readSync(this.descriptor, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString('utf8', 0, count).trim();
  }

  close(): void {
    closeSync(this.descriptor);
  }
}
