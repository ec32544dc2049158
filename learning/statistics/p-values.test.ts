import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparisonGolden as golden } from '../../test/support/comparison-golden.ts';
import { normalTwoSided } from './normal.ts';
import { studentTwoSided } from './student.ts';
import { welchPValue } from './welch.ts';
import { wilcoxonPValue } from './wilcoxon.ts';

/** Some tails are so far out that they are 0. */
const relative = (ours: number, theirs: number) => (ours === theirs ? 0 : Math.abs(ours - theirs) / theirs);

describe('tails of distributions', () => {
  it("are SciPy's", () => {
    for (const [z, p] of golden.normal) expect(relative(normalTwoSided(z), p)).toBeLessThan(1e-12);
    for (const [t, freedom, p] of golden.student) expect(relative(studentTwoSided(t, freedom), p)).toBeLessThan(1e-10);
    expect(studentTwoSided(Infinity, 5)).toBe(0);
  });
});

describe("Welch's test", () => {
  it("has SciPy's p-values", () => {
    for (const { first, second, p } of golden.welch) {
      expect(relative(welchPValue(first, second)!, p)).toBeLessThan(1e-9);
      expect(welchPValue(second, first)).toBe(welchPValue(first, second));
    }
  });

  it('is none of too few runs, of what is not finite, and where neither scatters', () => {
    const five = [1, 2, 3, 4, 5];
    expect(welchPValue(five, [1, 2, 3, 4])).toBeNull();
    expect(welchPValue(five, [...five, NaN])).toBeNull();
    expect(welchPValue(five, [...five, Infinity])).toBeNull();
    const constant = (value: number) => Array.from({ length: 7 }, () => value);
    expect(welchPValue(constant(0.1), constant(0.3))).toBeNull();
    expect(welchPValue(constant(0.1), five)).toBeGreaterThan(0);
    expect(welchPValue(five, five)).toBe(1);
  });
});

/** The share of all 2ⁿ choices of signs whose rank sum is as far out, with ranks counted one by one. */
function slowWilcoxon(all: readonly number[]): number {
  const differences = all.filter((difference) => difference !== 0);
  const ranks = differences.map((one) => {
    const smaller = differences.filter((other) => Math.abs(other) < Math.abs(one)).length;
    const equal = differences.filter((other) => Math.abs(other) === Math.abs(one)).length;
    return smaller + (equal + 1) / 2;
  });
  const sumOf = (isPositive: (index: number) => boolean) =>
    ranks.reduce((sum, rank, index) => sum + (isPositive(index) ? rank : 0), 0);
  const observed = sumOf((index) => differences[index]! > 0);
  const sums = Array.from({ length: 2 ** ranks.length }, (_, signs) => sumOf((index) => (signs & (1 << index)) !== 0));
  const below = sums.filter((sum) => sum <= observed).length;
  const above = sums.filter((sum) => sum >= observed).length;
  return Math.min(1, (2 * Math.min(below, above)) / sums.length);
}

describe("Wilcoxon's signed rank test", () => {
  it("has SciPy's exact p-values up to a hundred pairs, also of tied ones, and its normal ones above", () => {
    for (const { differences, p } of [...golden.wilcoxon_exact, golden.wilcoxon_tied]) {
      expect(relative(wilcoxonPValue(differences)!, p)).toBeLessThan(1e-9);
    }
    expect(golden.wilcoxon_normal.differences.length).toBeGreaterThan(100);
    expect(relative(wilcoxonPValue(golden.wilcoxon_normal.differences)!, golden.wilcoxon_normal.p)).toBeLessThan(1e-9);
  });

  it('is the share of all choices of signs that give a rank sum as far out', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -6, max: 6 }), { minLength: 5, maxLength: 9 }), (differences) => {
        expect(wilcoxonPValue(differences)).toBeCloseTo(slowWilcoxon(differences), 12);
        expect(wilcoxonPValue(differences.map((difference) => -difference))).toBe(wilcoxonPValue(differences));
        expect(wilcoxonPValue(differences.toReversed())).toBe(wilcoxonPValue(differences));
      }),
    );
  });

  it('by hand: five of one sign, none that differs, and an infinite one with the highest rank', () => {
    expect(wilcoxonPValue([1, 2, 3, 4, 5])).toBe(2 / 32);
    expect(wilcoxonPValue([0, 0, 0, 0, 0])).toBe(1);
    expect(wilcoxonPValue([1, 2, 3, 4, -Infinity])).toBe(wilcoxonPValue([1, 2, 3, 4, -5]));
  });

  it('is none of too few pairs, and where a difference is not a number', () => {
    expect(wilcoxonPValue([1, 2, 3, 4])).toBeNull();
    expect(wilcoxonPValue([1, 2, 3, 4, NaN])).toBeNull();
  });
});
