import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Both ends of a pipe, as descriptors that block. */
export interface BlockingPipe {
  readonly readEnd: number;
  readonly writeEnd: number;
}

/**
 * Pipes whose ends block, which those of `spawn` do not: so a thread can wait for an answer without a turn of its event
 * loop. They have no name once they are open.
 */
export function openBlockingPipes(count: number): BlockingPipe[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'thaw-pipe-'));
  try {
    const files = Array.from({ length: count }, (_, index) => path.join(folder, String(index)));
    execFileSync('mkfifo', ['-m', '600', ...files]);
    return files.map(openBothEnds);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Opening one end waits for the other, except for reading without blocking, which therefore comes first. */
function openBothEnds(file: string): BlockingPipe {
  const waiting = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const writeEnd = openSync(file, constants.O_WRONLY);
  const readEnd = openSync(file, constants.O_RDONLY);
  closeSync(waiting);
  return { readEnd, writeEnd };
}
