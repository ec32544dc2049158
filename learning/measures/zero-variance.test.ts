import { describe, expect, it } from 'vitest';
import type { EpisodeOutcome } from '../rollout/episode-tally.ts';
import { zeroVarianceShare } from './zero-variance.ts';

const outcomes = (...episodes: [success: boolean, value: number][]): EpisodeOutcome[] =>
  episodes.map(([success, value]) => ({ return: value, length: 25, success }));

describe('the share of groups without variance', () => {
  it('is by success where the family has it, whatever the returns are', () => {
    const groups = [outcomes([true, 1], [true, 9]), outcomes([false, 1], [false, 9]), outcomes([true, 1], [false, 1])];
    expect(zeroVarianceShare(groups, { hasSuccess: true, gain: 1 })).toBe(2 / 3);
  });

  it('is by return otherwise, to a millionth of the gain over random, whatever its sign', () => {
    const groups = [outcomes([false, 1], [true, 1]), outcomes([false, 1], [false, 1 + 5e-6]), outcomes([false, 1], [false, 2])]; // prettier-ignore
    expect(zeroVarianceShare(groups, { hasSuccess: false, gain: 1 })).toBe(1 / 3);
    expect(zeroVarianceShare(groups, { hasSuccess: false, gain: 10 })).toBe(2 / 3);
    expect(zeroVarianceShare(groups, { hasSuccess: false, gain: -10 })).toBe(2 / 3);
  });

  it('counts groups that are equal even where the gain is no number', () => {
    const groups = [outcomes([false, 1], [false, 1]), outcomes([false, 1], [false, 2])];
    expect(zeroVarianceShare(groups, { hasSuccess: false, gain: NaN })).toBe(1 / 2);
  });
});
