import type { RunCounts } from '../../learning/results/state-counts.ts';
import { isFinalState, RUN_STATES, type FinalState, type RunState } from '../../schemas/records.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { countText } from '../../web/documents/quantity-text.ts';

/** How runs end that did not succeed and were not told to stop. */
export const FAILED_STATES: readonly FinalState[] = ['FAILED', 'CRASHED', 'TIMED_OUT'];

/** Counts as a sentence has them: `28 SUCCEEDED, 2 FAILED`. */
export function countsText(counts: RunCounts): string {
  const present = RUN_STATES.filter((state) => (counts[state] ?? 0) > 0);
  return present.map((state) => `${counts[state]} ${state}`).join(', ') || 'no runs';
}

/** How many runs are over, whatever their end, and how many are not. */
export function cellCounts(counts: RunCounts): { done: number; left: number } {
  const total = (isWanted: (state: RunState) => boolean) =>
    RUN_STATES.reduce((sum, state) => sum + (isWanted(state) ? (counts[state] ?? 0) : 0), 0);
  return { done: total(isFinalState), left: total((state) => !isFinalState(state)) };
}

/** The same as a sentence has them: `28 done, 2 left`. */
export function cellsText(counts: RunCounts): string {
  const { done, left } = cellCounts(counts);
  return `${countText(done)} done, ${countText(left)} left`;
}

/** Whether every run of an experiment is over. */
export function isFinished(runs: readonly { readonly state: RunState }[]): boolean {
  return runs.every(({ state }) => isFinalState(state));
}

/** Whether nothing of an experiment goes on by itself: every run is over, or paused until somebody resumes it. */
export function isAtRest(runs: readonly { readonly state: RunState }[]): boolean {
  return runs.every(({ state }) => isFinalState(state) || state === 'PAUSED');
}

/** The same of counts. */
export function isCountAtRest(counts: RunCounts): boolean {
  return RUN_STATES.every((state) => isFinalState(state) || state === 'PAUSED' || (counts[state] ?? 0) === 0);
}

/** What to tell the shell once every run is at rest. A SKIPPED run has an equal one that succeeded. */
export function exitCodeFromRuns(runs: readonly { readonly state: RunState }[]): ExitCode {
  const succeeded = runs.every(({ state }) => state === 'SUCCEEDED' || state === 'SKIPPED');
  return succeeded ? EXIT.done : EXIT.runsFailed;
}
