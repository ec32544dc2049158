import type { FailureClass } from '../schemas/records.ts';
import type { RetryClass } from '../schemas/resolved-experiment.ts';
import type { EndState } from '../schemas/run-plan.ts';

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 60_000;

/** Where a run ends when a class has exhausted its budget. */
const END_STATE: Readonly<Record<FailureClass, EndState>> = {
  error: 'FAILED',
  diverged: 'FAILED',
  request: 'FAILED',
  lost: 'CRASHED',
  out_of_memory: 'CRASHED',
  timeout: 'TIMED_OUT',
  stalled: 'TIMED_OUT',
};

export type RetryDecision =
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'end'; readonly state: EndState; readonly reason: string };

/**
 * What follows a failed attempt. Budgets count the failures of one round and start anew with the next; k means k + 1
 * attempts. Classes do not share budgets, and a class without one (diverged, request) is not tried again: it would end
 * the same.
 *
 * @param failures classes of this round's failures, oldest first; the last one has just happened
 */
export function decideRetry(
  failures: readonly FailureClass[],
  retries: Readonly<Record<RetryClass, number>>,
): RetryDecision {
  const failureClass = failures.at(-1)!;
  const count = failures.filter((failure) => failure === failureClass).length;
  const budget = failureClass in retries ? retries[failureClass as RetryClass] : 0;
  if (count > budget) {
    const attempts = count === 1 ? '1 attempt' : `${count} attempts`;
    return { kind: 'end', state: END_STATE[failureClass], reason: `${failureClass} after ${attempts}` };
  }
  return { kind: 'retry', delayMs: delayBeforeRetry(failureClass, count) };
}

/** A lost worker says nothing about the work, so the first retry after one does not wait; everything else backs off. */
function delayBeforeRetry(failureClass: FailureClass, count: number): number {
  if (failureClass === 'lost' && count === 1) return 0;
  return Math.min(FIRST_DELAY_MS * 2 ** (count - 1), LONGEST_DELAY_MS);
}
