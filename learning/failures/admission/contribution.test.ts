import { describe, expect, it } from 'vitest';
import type { TrainingEvidence } from '../../strategies/contract.ts';
import { contributionsOf, type EntryOutcomes, withOutcomes } from './contribution.ts';

const evidence = (name: string, change: Partial<TrainingEvidence>): TrainingEvidence => ({
  ...{ name, episodes: 8, returnMean: -4, returnStd: 1, lengthMean: 25, successRate: 0, scores: null },
  ...change,
});

/** What entries contribute after one decision's episodes. */
function contributionsAfter(training: readonly TrainingEvidence[]): number[] {
  const names = training.map(({ name }) => name);
  return contributionsOf(withOutcomes({}, training, names), names);
}

describe('contributions', () => {
  it('are p(1 − p) of an entry’s own episodes', () => {
    const training = [evidence('even', { successRate: 0.5 }), evidence('solved', { successRate: 1 })];
    expect(contributionsAfter(training)).toEqual([0.25, 0]);
  });

  it('are variances in units of the largest mean where nobody sometimes succeeds', () => {
    const [steady, wild] = contributionsAfter([
      evidence('steady', { returnMean: -10, returnStd: 1 }),
      evidence('wild', { returnMean: -5, returnStd: 4 }),
    ]);
    expect(wild! / steady!).toBeCloseTo(16, 9);
    expect(steady).toBeCloseTo(1 / 100, 9);
  });

  it('are one quantity for all, also where success began after an entry was judged last', () => {
    const before = withOutcomes({}, [evidence('idle', { returnStd: 5 }), evidence('solved', {})], ['idle', 'solved']);
    const after = withOutcomes(before, [evidence('solved', { successRate: 0.5 })], ['idle', 'solved']);
    expect(contributionsOf(before, ['idle'])[0]).toBeGreaterThan(1);
    // Half of the pooled episodes of `solved` have p = ½; those of `idle` never succeed.
    expect(contributionsOf(after, ['idle', 'solved'])).toEqual([0, 0.25 * 0.75]);
  });

  it('are those of the last three decisions together', () => {
    const rates = [0.5, 0.2, 0.1, 0.4];
    const after = rates.reduce<EntryOutcomes>(
      (before, successRate) => withOutcomes(before, [evidence('entry', { successRate })], ['entry']),
      {},
    );
    const rate = (0.2 + 0.1 + 0.4) / 3;
    expect(after['entry']).toHaveLength(3);
    expect(contributionsOf(after, ['entry'])[0]).toBeCloseTo(rate * (1 - rate), 12);
  });

  it('stay as they were where too little was played, or what was played is no number', () => {
    const before = withOutcomes({}, [evidence('entry', { successRate: 0.2 })], ['entry']);
    for (const change of [{ episodes: 1, successRate: 0.5 }, { episodes: 0, returnMean: NaN }, { returnMean: NaN }]) {
      expect(withOutcomes(before, [evidence('entry', change)], ['entry'])).toEqual(before);
    }
    expect(withOutcomes(before, [], ['entry'])).toEqual(before);
  });

  it('are those of the entries there are: others, such as fresh draws, are forgotten', () => {
    const training = [evidence('entry', { successRate: 0.5 }), evidence('draws~fresh', { successRate: 0.5 })];
    const gone = withOutcomes({}, [evidence('gone', {})], ['gone']);
    expect(Object.keys(withOutcomes(gone, training, ['entry', 'young']))).toEqual(['entry', 'young']);
  });

  it('of an entry that is too young are not a number', () => {
    expect(contributionsOf({ young: [] }, ['young', 'new'])).toEqual([NaN, NaN]);
  });
});
