import type { RunSummary } from '../../contract/runs.ts';

export type RunState = RunSummary['state'];

/** A sign for each state, in the order in which counts are told. */
export const STATE_MARKS: Readonly<Record<RunState, string>> = {
  RUNNING: '▶',
  RETRYING: '↻',
  QUEUED: '○',
  PAUSED: '‖',
  CANCELLING: '◌',
  SUCCEEDED: '✓',
  FAILED: '✕',
  CRASHED: '✕',
  TIMED_OUT: '◷',
  CANCELLED: '⊘',
  SKIPPED: '≡',
};

const STATES = Object.keys(STATE_MARKS) as RunState[];
const OPEN: readonly RunState[] = ['RUNNING', 'RETRYING', 'QUEUED', 'PAUSED', 'CANCELLING'];

/** Whether something may still happen to it. */
export const isOpen = (state: RunState): boolean => OPEN.includes(state);

export const stateText = (state: RunState): string => state.toLowerCase().replace('_', ' ');

/** States that have runs, in the order of the list, with how many. */
export function countedStates(
  counts: Readonly<Partial<Record<RunState, number>>>,
): readonly (readonly [RunState, number])[] {
  return STATES.flatMap((state) => ((counts[state] ?? 0) > 0 ? [[state, counts[state]!] as const] : []));
}

export const allStates = (): readonly RunState[] => STATES;
