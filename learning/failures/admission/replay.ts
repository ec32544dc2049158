import { replayDistribution } from '../../strategies/replay-distribution.ts';

/** β of the ranks: the best of eight is played about three times as often as the fourth. */
const TEMPERATURE = 1;

/**
 * How often each entry of the pool is played.
 * @param contributions by entry; NaN for one that is too young to tell, which is ranked first
 * @returns by entry; sums to 1
 */
export function replayShares(replay: 'uniform' | 'rank', contributions: readonly number[]): number[] {
  if (replay === 'uniform') return contributions.map(() => 1 / contributions.length);
  const entries = contributions.map((value) => ({ score: Number.isNaN(value) ? Infinity : value, age: 0 }));
  return replayDistribution(entries, { temperature: TEMPERATURE, staleness: 0 });
}
