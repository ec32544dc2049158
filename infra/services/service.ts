import type { ErrorCode } from '../../schemas/error-catalogue.ts';

/** A user to run as, other than ourselves. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** What to start as a process. */
interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** null: as ourselves. */
  readonly account: Account | null;
}

/** How to end it: the first signal, and how long it may take before the whole group is killed. */
export interface StopRule {
  readonly signal: NodeJS.Signals;
  readonly graceMs: number;
}

/** A program that the supervisor keeps running, and how to tell whether it serves. */
export interface Service {
  readonly name: 'postgres' | 'temporal' | 'worker';
  /** What runs, for `status`: program, version, where it came from. */
  readonly description: string;
  readonly program: Program;
  /** Of the program's code: a running process of another revision is not taken over. */
  readonly revision: string;
  /** TCP port on 127.0.0.1; null for a program that serves nobody. */
  readonly port: number | null;
  readonly stopRule: StopRule;
  /** How long it may take to serve, after its start. */
  readonly readyTimeoutMs: number;
  /** The code of the error when it does not start. */
  readonly errorCode: ErrorCode;
  /** Clears away what a predecessor that was killed left behind; runs before every start. */
  prepare(): Promise<void>;
  /** Resolves when this very service answers, and not merely something on its port; rejects with the reason why not. */
  probe(): Promise<void>;
}
