import type { ErrorKind } from '../../schemas/error-catalogue.ts';

/** What the program tells the shell. */
export const EXIT = {
  done: 0,
  /** A fault of Thaw. */
  defect: 1,
  /** The request is wrong. */
  request: 2,
  /** A service or the disk failed. */
  world: 3,
  /** Everything finished, but some run did not succeed. */
  runsFailed: 4,
  /** The user left with Ctrl-C; what was started goes on. As shells say it: 128 + SIGINT. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export function exitCodeFromKind(kind: ErrorKind): ExitCode {
  return EXIT[kind];
}
