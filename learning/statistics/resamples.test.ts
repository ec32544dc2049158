import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resampleCount, resamplesOf } from './resamples.ts';

describe('resamples', () => {
  it('are 50 000 of 100 items and fewer, and fewer of more, but never below 2 000', () => {
    expect([1, 10, 100].map(resampleCount)).toEqual([50_000, 50_000, 50_000]);
    expect(resampleCount(200)).toBe(25_000);
    expect([10_000, 1_000_000].map(resampleCount)).toEqual([2_000, 2_000]);
  });

  it('draw every stratum within itself, and every item about equally often', () => {
    const sizes = [3, 5];
    const { draws, count, size } = resamplesOf({ sizes, resamples: 4_000 });
    expect([count, size, draws.length]).toEqual([4_000, 8, 32_000]);
    const times = Array.from({ length: size }, () => 0);
    draws.forEach((item) => (times[item]! += 1));
    expect(draws.every((item, place) => item < 3 === place % size < 3)).toBe(true);
    // Binomial with standard deviations of at most 52 around 4 000.
    for (const drawn of times) expect(Math.abs(drawn - 4_000)).toBeLessThan(300);
  });

  it('are the same for the same options, whatever was drawn in between, and others for another seed or stream', () => {
    const drawn = (options: { seed?: number; stream?: number; sizes?: readonly number[] }) => [
      ...resamplesOf({ sizes: [6], resamples: 50, ...options }).draws,
    ];
    const before = drawn({});
    const others = [drawn({ seed: 1 }), drawn({ stream: 1 }), drawn({ sizes: [7] })];
    expect(drawn({})).toEqual(before);
    for (const other of others) expect(other).not.toEqual(before);
  });

  it('have room for the number of every item', () => {
    fc.assert(
      fc.property(fc.integer({ min: 65_530, max: 65_540 }), (size) => {
        const { draws } = resamplesOf({ sizes: [size - 1, 1], resamples: 1 });
        expect(draws[size - 1]).toBe(size - 1);
      }),
      { numRuns: 11 },
    );
  });
});
