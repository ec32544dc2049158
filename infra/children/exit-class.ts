import type { FailureClass } from '../../schemas/records.ts';

/** What is known of a child process that ended before its answer. */
export interface ChildExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Why we killed it ourselves; null when we did not. */
  readonly killedFor: 'memory' | 'stall' | null;
  /** Whether the kernel's counter of processes killed for memory rose while it ran. */
  readonly kernelKilledForMemory: boolean;
  /** The end of what it wrote to its standard error. */
  readonly logTail: string;
}

const EXIT_ABORTED = 134;
const OUT_OF_MEMORY_WORDS =
  /heap out of memory|Array buffer allocation failed|bad_alloc|Failed to allocate memory|ENOMEM/;

/**
 * The class of an unexpected end.
 *
 * V8 aborts (SIGABRT, or 134 through a shell) when its heap is full and says so; the kernel sends SIGKILL and counts
 * it; a SIGKILL that nobody counted came from outside, which is a loss and not the run's fault.
 */
export function classOfExit(exit: ChildExit): FailureClass {
  if (exit.killedFor === 'memory') return 'out_of_memory';
  if (exit.killedFor === 'stall') return 'stalled';
  if (OUT_OF_MEMORY_WORDS.test(exit.logTail)) return 'out_of_memory';
  if (exit.signal === 'SIGKILL' || exit.exitCode === 128 + 9)
    return exit.kernelKilledForMemory ? 'out_of_memory' : 'lost';
  if (exit.signal === 'SIGTERM' || exit.signal === 'SIGHUP' || exit.signal === 'SIGINT') return 'lost';
  return 'error';
}

/** One sentence on how a child ended. */
export function describeExit({ exitCode, signal, killedFor }: ChildExit): string {
  const how = signal === null ? `exit code ${exitCode}` : `signal ${signal}`;
  const aborted = exitCode === EXIT_ABORTED || signal === 'SIGABRT' ? ' (it aborted itself)' : '';
  if (killedFor === 'memory') return 'killed because it used more memory than execution.memory_mib';
  if (killedFor === 'stall') return 'killed because it made no progress within execution.timeouts.stall';
  return `ended before its result with ${how}${aborted}`;
}
