import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INTERVAL_VALUES_MIN, quantile } from './bootstrap.ts';
import { pairedDifference } from './paired-difference.ts';

const bySeed = (values: readonly number[]): Map<number, number> => new Map(values.entries());

/** The mean of every resample there is, each as likely as the others: nⁿ of them, sorted. */
function meansOfEveryResample(values: readonly number[]): Float64Array {
  let sums = [0];
  for (let drawn = 0; drawn < values.length; drawn += 1) {
    sums = sums.flatMap((sum) => values.map((value) => sum + value));
  }
  return Float64Array.from(sums, (sum) => sum / values.length).sort();
}

describe('the paired difference', () => {
  const first = [-7, -9.5, -8.25, -11, -6.75];
  const second = [-7.5, -12, -8, -12.25, -10];
  const differences = [0.5, 2.5, -0.25, 1.25, 3.25];

  it('is the mean of first − second over the seeds', () => {
    // (0.5 + 2.5 − 0.25 + 1.25 + 3.25) / 5 = 7.25 / 5
    expect(pairedDifference(bySeed(first), bySeed(second))).toMatchObject({ n: 5, mean: 1.45 });
    // Only the sum with −0.25 reversed is larger; both, and both reversed, of 32.
    expect(pairedDifference(bySeed(first), bySeed(second)).pValue).toBe(4 / 32);
  });

  it('has the interval of every possible resample, up to the noise of the resamples drawn', () => {
    const all = meansOfEveryResample(differences);
    expect(all).toHaveLength(differences.length ** differences.length);
    const exact = [quantile(all, 0.025), quantile(all, 0.975)] as const;
    const interval = pairedDifference(bySeed(first), bySeed(second)).interval!;
    interval.forEach((end, side) => {
      expect(Math.abs(end - exact[side]!)).toBeLessThan(0.03 * (exact[1] - exact[0]));
    });
  });

  it('does not see what a seed does to both', () => {
    const shift = [100, -50, 25, 0, -1000];
    const shifted = (values: readonly number[]) => bySeed(values.map((value, seed) => value + shift[seed]!));
    expect(pairedDifference(shifted(first), shifted(second))).toEqual(pairedDifference(bySeed(first), bySeed(second)));
  });

  it('leaves out seeds that one of the two lacks, and does not depend on the order of reading', () => {
    const more = new Map([[9, 1e6], ...[...bySeed(first)].reverse()]);
    const others = new Map([...bySeed(second), [12, -1e6]]);
    expect(pairedDifference(more, others)).toEqual(pairedDifference(bySeed(first), bySeed(second)));
  });

  it('changes sign with its arguments', () => {
    const quarters = fc.array(fc.integer({ min: -400, max: 400 }), {
      minLength: 1,
      maxLength: INTERVAL_VALUES_MIN - 1,
    });
    fc.assert(
      fc.property(quarters, quarters, (left, right) => {
        const there = pairedDifference(bySeed(left), bySeed(right));
        const back = pairedDifference(bySeed(right), bySeed(left));
        expect(back.n).toBe(there.n);
        expect(back.mean + there.mean).toBe(0);
      }),
    );
  });

  it('has no interval below five pairs, and no mean of none', () => {
    const four = bySeed(first.slice(0, INTERVAL_VALUES_MIN - 1));
    expect(pairedDifference(four, bySeed(second))).toMatchObject({ n: 4, mean: 1, interval: null, pValue: null });
    expect(pairedDifference(new Map(), bySeed(second))).toEqual({ n: 0, mean: NaN, interval: null, pValue: null });
  });

  it('is NaN where a value is: nothing drops out unseen', () => {
    const broken = bySeed([...first.slice(0, 4), NaN]);
    expect(pairedDifference(broken, bySeed(second))).toEqual({
      n: 5,
      mean: NaN,
      interval: [NaN, NaN],
      pValue: null,
    });
  });
});
