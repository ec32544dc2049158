import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jensenShannon, standardizedWasserstein, symmetricKl, wasserstein } from './divergences.ts';

const counts = fc.array(fc.nat({ max: 50 }), { minLength: 4, maxLength: 4 });
const visited = counts.filter((histogram) => histogram.some((count) => count > 0));
const sample = fc
  .array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: 6, maxLength: 6 })
  .map((values) => Float64Array.from(values).sort());

const shares = (histogram: readonly number[]) => {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  return histogram.map((count) => count / total);
};
const kl = (p: readonly number[], q: readonly number[]) =>
  p.reduce((sum, share, bin) => sum + (share === 0 ? 0 : share * Math.log(share / q[bin]!)), 0);

describe('the Jensen–Shannon divergence', () => {
  test('of [3, 1] and [1, 3] is 1 − H(¼)', () => {
    const entropy = -(0.25 * Math.log2(0.25) + 0.75 * Math.log2(0.75));
    expect(jensenShannon([3, 1], [1, 3])).toBeCloseTo(1 - entropy, 14);
  });

  test('is 0 for equal distributions of any size, and 1 for histograms that share no bin', () => {
    expect(jensenShannon([2, 4, 0], [1, 2, 0])).toBe(0);
    expect(jensenShannon([5, 0, 0], [0, 1, 2])).toBe(1);
    expect(jensenShannon([0, 0], [1, 0])).toBeNaN();
  });

  test('is the mean KL divergence from the middle in bits, symmetric, and within [0, 1]', () => {
    fc.assert(
      fc.property(visited, visited, (a, b) => {
        const [p, q] = [shares(a), shares(b)];
        const middle = p.map((share, bin) => (share + q[bin]!) / 2);
        const divergence = jensenShannon(a, b);
        expect(divergence).toBeCloseTo((kl(p, middle) + kl(q, middle)) / 2 / Math.LN2, 12);
        expect(divergence).toBe(jensenShannon(b, a));
        expect(divergence).toBeGreaterThanOrEqual(0);
        expect(divergence).toBeLessThanOrEqual(1);
        expect(jensenShannon(a, a)).toBe(0);
      }),
    );
  });
});

describe('the symmetric KL divergence', () => {
  test('of [2, 0] and [0, 2], each raised by one, is (¾ − ¼) log 3 twice', () => {
    expect(symmetricKl([2, 0], [0, 2])).toBeCloseTo(2 * 0.5 * Math.log(3), 14);
  });

  test('is KL both ways of the raised counts, symmetric, at least 0, and 0 on itself', () => {
    fc.assert(
      fc.property(counts, counts, (a, b) => {
        const raised = [a, b].map((histogram) => shares(histogram.map((count) => count + 1))) as [number[], number[]];
        expect(symmetricKl(a, b)).toBeCloseTo(kl(raised[0], raised[1]) + kl(raised[1], raised[0]), 12);
        expect(symmetricKl(a, b)).toBeCloseTo(symmetricKl(b, a), 14);
        expect(symmetricKl(a, b)).toBeGreaterThanOrEqual(0);
        expect(symmetricKl(a, a)).toBe(0);
      }),
    );
  });
});

test('a divergence reads the part of a longer array that it is told', () => {
  const [p, q] = [Int32Array.of(9, 3, 1, 9), Int32Array.of(0, 1, 3, 0)];
  expect(jensenShannon(p, q, 1, 2)).toBe(jensenShannon([3, 1], [1, 3]));
  expect(symmetricKl(p, q, 1, 2)).toBe(symmetricKl([3, 1], [1, 3]));
});

describe('the Wasserstein distance', () => {
  test('of [0, 1, 5] and [1, 1, 2] is 4/3, and in standard deviations divided by √((7 + ⅓) / 2)', () => {
    const [a, b] = [Float64Array.of(0, 1, 5), Float64Array.of(1, 1, 2)];
    expect(wasserstein(a, b)).toBeCloseTo(4 / 3, 14);
    expect(standardizedWasserstein(a, b)).toBeCloseTo(4 / 3 / Math.sqrt((7 + 1 / 3) / 2), 14);
  });

  test('is the cheapest of all ways to move one sample onto the other', () => {
    fc.assert(
      fc.property(sample, sample, (a, b) => {
        const cheapest = Math.min(...permutations([...b]).map((order) => meanDistance([...a], order)));
        expect(wasserstein(a, b)).toBeCloseTo(cheapest, 9);
      }),
      { numRuns: 10 },
    );
  });

  test('is symmetric, 0 on itself, and the same on every scale when in standard deviations', () => {
    fc.assert(
      fc.property(sample, sample, (a, b) => {
        const tenfold = (values: Float64Array) => values.map((value) => 10 * value);
        expect(standardizedWasserstein(a, b)).toBe(standardizedWasserstein(b, a));
        expect(standardizedWasserstein(a, a)).toBe(0);
        if (wasserstein(a, b) < 1e-6) return;
        expect(standardizedWasserstein(tenfold(a), tenfold(b)) / standardizedWasserstein(a, b)).toBeCloseTo(1, 6);
      }),
    );
  });

  test('of two constants is 0 when they are equal and else infinite', () => {
    const constant = (value: number) => new Float64Array(7).fill(value);
    expect(standardizedWasserstein(constant(0.1), constant(0.1))).toBe(0);
    expect(standardizedWasserstein(constant(0.1), constant(0.2))).toBe(Infinity);
  });
});

function permutations(values: readonly number[]): number[][] {
  if (values.length === 0) return [[]];
  return values.flatMap((value, index) => permutations(values.toSpliced(index, 1)).map((rest) => [value, ...rest]));
}

function meanDistance(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + Math.abs(value - b[index]!), 0) / a.length;
}
