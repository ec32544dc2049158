import { pino } from 'pino';
import type { Logger } from 'pino';

export type { Logger };

/**
 * A logger of JSON lines. Lines are written at once and not buffered, so that the last words of a process that dies are read.
 *
 * @param options.level lines below it are dropped
 * @param options.file appended to, and created when missing so that only we can read it; standard error when left out
 * @param options.name the process that speaks, on every line
 */
export function createLog(options: { level: string; name: string; file?: string }): Logger {
  const { level, name, file } = options;
  return pino(
    { level, name },
    pino.destination({ dest: file ?? 2, append: true, mkdir: true, mode: 0o600, sync: true }),
  );
}
