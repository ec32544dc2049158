import { ApplicationFailure, CancelledFailure, type Context } from '@temporalio/activity';
import type { RequestFailure } from '../infra/children/child-process.ts';
import type { AttemptEnd } from '../infra/postgres/attempt-rows.ts';
import { isThawError } from '../schemas/errors.ts';
import type { FailureClass } from '../schemas/records.ts';

export const WORKER_STOPPED = 'its worker stopped';
export const OUT_OF_TIME = 'took longer than execution.timeouts.round';

/** An attempt that failed in a known way. */
export class AttemptFailure extends Error {
  readonly failureClass: FailureClass;
  readonly failure: RequestFailure | null;

  constructor(failureClass: FailureClass, message: string, failure: RequestFailure | null = null) {
    super(message);
    this.name = 'AttemptFailure';
    this.failureClass = failureClass;
    this.failure = failure;
  }
}

/** Ends the attempt because the numbers stopped being numbers. It is an outcome of training, not a fault. */
export function diverged(message: string): Error {
  return new AttemptFailure('diverged', message);
}

/** How an attempt ends that could not begin here and never can. */
export const refusalEnd = (error: unknown): AttemptEnd => ({
  outcome: 'request',
  message: messageOf(error),
  processId: null,
  exitCode: null,
  signal: null,
  logTail: null,
  peakRssMib: null,
});

export const outOfTime = (): Error => new AttemptFailure('timeout', OUT_OF_TIME);

/** A stop that nobody asked for, because the worker itself stops, is a loss: another worker goes on. */
export function failureFromError(error: unknown, { cancellationSignal, cancellationDetails }: Context): Error {
  if (cancellationSignal.aborted && cancellationDetails?.cancelRequested === true) {
    return new CancelledFailure('cancelled by request');
  }
  if (cancellationSignal.aborted) {
    return ApplicationFailure.create({ type: 'lost', message: WORKER_STOPPED, nonRetryable: true });
  }
  return ApplicationFailure.create({
    type: classOfError(error),
    message: messageOf(error),
    nonRetryable: true,
    ...(error instanceof Error && { cause: error }),
  });
}

/** Who must act decides the class: the author of the spec, nobody but time, or a programmer. */
export function classOfError(error: unknown): FailureClass {
  if (error instanceof AttemptFailure) return error.failureClass;
  if (!isThawError(error)) return 'error';
  return error.kind === 'request' ? 'request' : error.kind === 'world' ? 'lost' : 'error';
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
