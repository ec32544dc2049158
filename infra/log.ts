import { pino } from 'pino';
import type { Logger } from 'pino';
import { maskSecrets } from './mask-secrets.ts';

export type { Logger };

/**
 * A logger of JSON lines, in which no password of a database URL is written. Lines are written at once and not buffered, so
 * that the last words of a process that dies are read.
 *
 * @param options.level lines below it are dropped
 * @param options.file appended to, and created when missing so that only we can read it; standard error when left out
 * @param options.name the process that speaks, on every line
 */
export function createLog(options: { level: string; name: string; file?: string }): Logger {
  const { level, name, file } = options;
  const destination = pino.destination({ dest: file ?? 2, append: true, mkdir: true, mode: 0o600, sync: true });
  // Errors of other programs may name what they were given.
  return pino({ level, name, hooks: { streamWrite: maskSecrets } }, destination);
}
