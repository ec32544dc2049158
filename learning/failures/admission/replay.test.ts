import { describe, expect, it } from 'vitest';
import { replayShares } from './replay.ts';

const contributions = [0.1, 0.25, NaN, 0.2];

describe('the shares of the pool’s entries', () => {
  it('sum to 1 and are positive, young entries’ as well', () => {
    for (const replay of ['uniform', 'rank'] as const) {
      const shares = replayShares(replay, contributions);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
      expect(Math.min(...shares)).toBeGreaterThan(0);
    }
  });

  it('are equal where replay is uniform', () => {
    expect(replayShares('uniform', contributions)).toEqual(contributions.map(() => 1 / 4));
  });

  it('are as 1 : 1/2 : 1/3 … by the rank of the contribution, the young first', () => {
    const total = 1 + 1 / 2 + 1 / 3 + 1 / 4;
    const ranks = [4, 2, 1, 3];
    replayShares('rank', contributions).forEach((share, index) =>
      expect(share).toBeCloseTo(1 / ranks[index]! / total, 12),
    );
  });

  it('of equal ones, and of several young ones, are larger for the older', () => {
    const [a, b, c, d] = replayShares('rank', [0.2, NaN, 0.2, NaN]);
    expect([b! > d!, d! > a!, a! > c!]).toEqual([true, true, true]);
  });
});
