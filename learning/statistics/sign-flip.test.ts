import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INTERVAL_VALUES_MIN } from './bootstrap.ts';
import { signFlipPValue } from './sign-flip.ts';

/** Sums of the numbers under every choice of signs. */
const sumsOf = (values: readonly number[]): number[] =>
  values.reduce<number[]>((sums, value) => sums.flatMap((sum) => [sum + value, sum - value]), [0]);

// Whole numbers: their sums are exact, whatever the order.
const differences = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: INTERVAL_VALUES_MIN, maxLength: 9 });

describe('the sign-flip test', () => {
  it('by hand: five of one sign, one of six against them, and none that differs', () => {
    expect(signFlipPValue([1, 2, 3, 4, 5])).toBe(2 / 32);
    // |Σ| = 19 of 21 at most: the signs as they are, all alike, and both of these reversed.
    expect(signFlipPValue([-1, 2, 3, 4, 5, 6])).toBe(4 / 64);
    expect(signFlipPValue([0, 0, 0, 0, 0])).toBe(1);
  });

  it('is the share of all choices of signs that give a sum as far from 0', () => {
    fc.assert(
      fc.property(differences, (values) => {
        const observed = Math.abs(values.reduce((sum, value) => sum + value, 0));
        const sums = sumsOf(values);
        const share = sums.filter((sum) => Math.abs(sum) >= observed).length / sums.length;
        expect(signFlipPValue(values)).toBe(share);
      }),
    );
  });

  it('depends on neither the order of the pairs, nor which of the two is subtracted, nor the unit', () => {
    const values = [0.1, 0.2, -0.3, 0.7, 0.4, -0.05];
    const p = signFlipPValue(values);
    for (const same of [values.toReversed(), values.map((value) => -value), values.map((value) => value / 7)]) {
      expect(signFlipPValue(same)).toBe(p);
    }
  });

  it('is none of too few pairs, of too many, and where a difference is not a number', () => {
    expect(signFlipPValue([1, 2, 3, 4])).toBeNull();
    expect(signFlipPValue(Array.from({ length: 21 }, () => 1))).toBeNull();
    expect(signFlipPValue([1, 2, 3, 4, NaN])).toBeNull();
  });
});
