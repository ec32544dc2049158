import { closeSync, copyFileSync, openSync, readSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';

/** Two files of this size at most are kept of each log. */
export const LOG_BYTES_MAX = 16 * 2 ** 20;

const TAIL_BYTES = 4_000;
const TAIL_LINES = 15;

/** The log of a service, or of the supervisor itself. */
export function serviceLogFile(home: string, name: string): string {
  return path.join(home, 'logs', `${name}.log`);
}

/** Size in bytes; 0 when there is no file. */
export function logSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** The last lines of a log, none of them older than `offset` bytes. */
export function readLogTail(file: string, offset = 0): string {
  const size = logSize(file);
  const start = Math.max(Math.min(offset, size), size - TAIL_BYTES);
  if (size === start) return '';
  const descriptor = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(size - start);
    const count = readSync(descriptor, buffer, 0, buffer.length, start);
    return buffer.toString('utf8', 0, count).trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Keeps a log below a size: the full file becomes `FILE.1` and writing starts anew. It is copied and cut, not renamed, because
 * the writer holds it open; writers append, so their next line lands at the new end. Lines written in between are lost.
 */
export function limitLog(file: string, sizeMax: number): void {
  if (logSize(file) <= sizeMax) return;
  copyFileSync(file, `${file}.1`);
  truncateSync(file);
}
