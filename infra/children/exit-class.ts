import type { FailureClass } from '../../schemas/records.ts';
import type { ChildError } from './protocol.ts';

/** What is known of a child process that ended before its answer. */
export interface ChildExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Why we killed it ourselves; null when we did not. */
  readonly killedFor: 'memory' | 'stall' | null;
  /**
   * Whether a counter of the kernel of processes killed for memory rose while it ran: that of the process's own control
   * group, or that of ours; null when none did.
   */
  readonly kernelKilledFor: 'limit' | 'machine' | null;
  /** Limit of its resident memory, and the most it was seen to use, in MiB; null when that is not known. */
  readonly memoryMib: number;
  readonly peakRssMib: number | null;
  /** What would need less memory, see `RequestOptions`. */
  readonly lessMemory: string;
  /** The end of what it wrote to its standard error. */
  readonly logTail: string;
}

const EXIT_ABORTED = 134;
const OUT_OF_MEMORY_WORDS =
  /(?:heap|process|javascript|CUDA) (?:out of memory|OOM)|^MemoryError|Array buffer allocation failed|bad_alloc|Failed to allocate memory|failed to map segment|could not allocate memory|Cannot allocate memory|ERR_WORKER_OUT_OF_MEMORY|ENOMEM/im;

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
    return exit.kernelKilledFor === null ? 'lost' : 'out_of_memory';
  if (exit.signal === 'SIGTERM' || exit.signal === 'SIGHUP' || exit.signal === 'SIGINT') return 'lost';
  return 'error';
}

/** Errors of the world that are more than a loss. */
const CLASS_OF_CODE: Readonly<Record<string, FailureClass>> = {
  WORLD_ENVIRONMENT_FAILED: 'error',
  WORLD_ENVIRONMENT_STALLED: 'stalled',
};

/** The class of an error that a child told of: who must act, or that memory was refused to it and it lived to tell. */
export function classOfError({ code, kind, message }: Pick<ChildError, 'code' | 'kind' | 'message'>): FailureClass {
  const own = CLASS_OF_CODE[code];
  if (own !== undefined) return OUT_OF_MEMORY_WORDS.test(message) ? 'out_of_memory' : own;
  if (kind === 'request') return 'request';
  if (kind === 'world') return 'lost';
  return OUT_OF_MEMORY_WORDS.test(message) ? 'out_of_memory' : 'error';
}

/** One sentence on how a child ended; for a lack of memory with the numbers, and what to change. */
export function describeExit(exit: ChildExit): string {
  const { exitCode, signal, killedFor } = exit;
  if (classOfExit(exit) === 'out_of_memory') return describeLackOfMemory(exit);
  if (killedFor === 'stall') return 'killed because it made no progress within execution.timeouts.stall';
  const how = signal === null ? `exit code ${exitCode}` : `signal ${signal}`;
  const aborted = exitCode === EXIT_ABORTED || signal === 'SIGABRT' ? ' (it aborted itself)' : '';
  return `ended before its result with ${how}${aborted}`;
}

/** What was used, the limit, and what to change. */
export function describeLackOfMemory({
  peakRssMib,
  memoryMib,
  kernelKilledFor,
  lessMemory,
}: Pick<ChildExit, 'peakRssMib' | 'memoryMib' | 'kernelKilledFor' | 'lessMemory'>): string {
  const used = peakRssMib === null ? 'ran out of memory' : `used ${Math.ceil(peakRssMib)} MiB`;
  const limit = `execution.memory_mib is ${memoryMib}`;
  return kernelKilledFor === 'machine' && (peakRssMib ?? 0) <= memoryMib
    ? `${used} when the machine had no memory left (${limit}): lower execution.max_concurrent_runs, or ${lessMemory}`
    : `${used}, ${limit}: raise it, or ${lessMemory}`;
}
