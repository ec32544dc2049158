import { describe, expect, it } from 'vitest';
import { bandOf, bandResamples } from './seed-band.ts';

describe('a band over seeds', () => {
  it('is an interval of the mean from five seeds on, and below that from the lowest to the highest', () => {
    const { n, mean, low, high } = bandOf([1, 2, 3, 4, 5, 6], bandResamples(6));
    expect([n, mean]).toEqual([6, 3.5]);
    expect(low).toBeGreaterThan(1.5);
    expect(low).toBeLessThan(2.7);
    expect(high).toBeGreaterThan(4.3);
    expect(high).toBeLessThan(5.5);
    expect(bandOf([4, 1, 2], 1_000)).toEqual({ n: 3, mean: 7 / 3, low: 1, high: 4 });
    expect(bandOf([1, 2, 3, 4, NaN], 1_000)).toEqual({ n: 5, mean: NaN, low: NaN, high: NaN });
  });

  it('is of fewer resamples where there are so many values that everybody else would wait', () => {
    expect(bandResamples(0)).toBe(1_000);
    expect(bandResamples(4 * 50 * 100)).toBe(1_000);
    // Of four returns after fifty rounds of two thousand runs, and of ten thousand.
    expect(bandResamples(4 * 50 * 2_000)).toBe(250);
    expect(bandResamples(4 * 50 * 10_000)).toBe(100);
  });
});
