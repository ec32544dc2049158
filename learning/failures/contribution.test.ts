import { describe, expect, it } from 'vitest';
import type { TrainingEvidence } from '../strategies/contract.ts';
import { contributionOf, type Contributions, withContributions } from './contribution.ts';

const evidence = (name: string, change: Partial<TrainingEvidence>): TrainingEvidence => ({
  ...{ name, episodes: 8, returnMean: -4, returnStd: 1, lengthMean: 25, successRate: 0, scores: null },
  ...change,
});

describe('contributions', () => {
  it('are p(1 − p) of an entry’s own episodes', () => {
    const training = [evidence('even', { successRate: 0.5 }), evidence('solved', { successRate: 1 })];
    expect(withContributions({}, training, ['even', 'solved'])).toEqual({ even: [0.25], solved: [0] });
  });

  it('are variances in units of the largest mean where nobody sometimes succeeds', () => {
    const training = [
      evidence('steady', { returnMean: -10, returnStd: 1 }),
      evidence('wild', { returnMean: -5, returnStd: 4 }),
    ];
    const { steady, wild } = withContributions({}, training, ['steady', 'wild']);
    expect(wild![0]! / steady![0]!).toBeCloseTo(16, 9);
    expect(steady![0]).toBeCloseTo(1 / 100, 9);
  });

  it('are kept of the last three decisions, and what counts is their mean', () => {
    const rates = [0.5, 0.2, 0.1, 0.4];
    const after = rates.reduce<Contributions>(
      (before, successRate) => withContributions(before, [evidence('entry', { successRate })], ['entry']),
      {},
    );
    const expected = rates.slice(1).map((rate) => rate * (1 - rate));
    expect(after['entry']).toEqual(expected);
    expect(contributionOf(after, 'entry')).toBeCloseTo(expected.reduce((sum, each) => sum + each, 0) / 3, 12);
  });

  it('stay as they were where too little was played, or what was played is no number', () => {
    const before = { entry: [0.2] };
    for (const change of [{ episodes: 1, successRate: 0.5 }, { episodes: 0, returnMean: NaN }, { returnMean: NaN }]) {
      expect(withContributions(before, [evidence('entry', change)], ['entry'])).toEqual(before);
    }
    expect(withContributions(before, [], ['entry'])).toEqual(before);
  });

  it('are those of the entries there are: others, such as fresh draws, are forgotten', () => {
    const training = [evidence('entry', { successRate: 0.5 }), evidence('draws~fresh', { successRate: 0.5 })];
    expect(Object.keys(withContributions({ gone: [1] }, training, ['entry', 'young']))).toEqual(['entry', 'young']);
  });

  it('of an entry that is too young are not a number', () => {
    expect(contributionOf({ young: [] }, 'young')).toBeNaN();
    expect(contributionOf({}, 'new')).toBeNaN();
  });
});
