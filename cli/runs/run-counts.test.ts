import { stateCounts } from '../../learning/results/state-counts.ts';
import { describe, expect, it } from 'vitest';
import { FINAL_STATES, isFinalState, RUN_STATES } from '../../schemas/records.ts';
import { EXIT } from '../errors/exit-codes.ts';
import { countsText, exitCodeFromRuns, isAtRest, isFinished } from './run-counts.ts';

const of = (...states: (typeof RUN_STATES)[number][]) => states.map((state) => ({ state }));

describe('counts of runs', () => {
  it('are by state, in the order of a run’s life', () => {
    const counts = stateCounts(of('FAILED', 'SUCCEEDED', 'RUNNING', 'SUCCEEDED'));
    expect(countsText(counts)).toBe('1 RUNNING, 2 SUCCEEDED, 1 FAILED');
    expect(countsText({})).toBe('no runs');
  });

  it('are finished when every run is in a final state', () => {
    expect(isFinished(of(...FINAL_STATES))).toBe(true);
    for (const state of RUN_STATES) expect(isFinished(of('SUCCEEDED', state))).toBe(isFinalState(state));
  });

  it('are at rest when nothing goes on by itself: what is not final is paused', () => {
    for (const state of RUN_STATES)
      expect(isAtRest(of('PAUSED', state))).toBe(isFinalState(state) || state === 'PAUSED');
  });

  it('end with 0 only if every run succeeded or is equal to one that did', () => {
    expect(exitCodeFromRuns(of('SUCCEEDED', 'SKIPPED'))).toBe(EXIT.done);
    for (const state of ['FAILED', 'CRASHED', 'TIMED_OUT', 'CANCELLED', 'PAUSED'] as const) {
      expect(exitCodeFromRuns(of('SUCCEEDED', state))).toBe(EXIT.runsFailed);
    }
  });
});
