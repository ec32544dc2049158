import { expect, test } from 'vitest';
import { EpisodeTally } from './episode-tally.ts';
import { mean, sampleStandardDeviation } from '../statistics/moments.ts';

const outcome = (value: number, length: number, success: boolean) => ({ return: value, length, success });

test('a summary is that of the episodes of its simulator', () => {
  // Returns that are large and alike, where a difference of sums of squares would leave nothing.
  const returns = [1e9 + 1, 1e9 + 3, 1e9 + 8];
  const lengths = [10, 20, 30];
  const tally = new EpisodeTally(2);
  returns.forEach((value, index) => {
    tally.add(1, outcome(value, lengths[index]!, index === 0));
    tally.add(0, outcome(-value, 1, true));
  });
  expect(tally.summary(1)).toEqual({
    episodes: returns.length,
    returnMean: mean(returns),
    returnStd: expect.closeTo(sampleStandardDeviation(returns), 6),
    lengthMean: mean(lengths),
    successRate: 1 / returns.length,
  });
  expect(tally.summary(0)).toMatchObject({ episodes: returns.length, returnMean: -mean(returns), successRate: 1 });
});

test('of no episode there are no means, and of one no deviation', () => {
  const tally = new EpisodeTally(2);
  tally.add(0, outcome(4, 25, false));
  expect(tally.summary(0)).toEqual({ episodes: 1, returnMean: 4, returnStd: NaN, lengthMean: 25, successRate: 0 });
  expect(tally.summary(1)).toEqual({
    episodes: 0,
    returnMean: NaN,
    returnStd: NaN,
    lengthMean: NaN,
    successRate: NaN,
  });
});
