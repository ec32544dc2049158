import { describe, expect, it } from 'vitest';
import { keyFrom, RandomStream } from '../../../../simulators/random.ts';
import { drawDirichlet } from './dirichlet.ts';

const SHAPES = [1, 2, 5, 1];
const TOTAL = SHAPES.reduce((sum, shape) => sum + shape, 0);
const DRAWS = 20000;

const random = new RandomStream(keyFrom(1));
const draws = Array.from({ length: DRAWS }, () => drawDirichlet(SHAPES, random));
const meanOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

describe('shares drawn from the Dirichlet distribution', () => {
  it('are positive and sum to 1', () => {
    for (const shares of draws) {
      expect(shares.every((share) => share > 0)).toBe(true);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
    }
  });

  it.each(SHAPES.map((shape, index) => [index, shape] as const))(
    '%i: mean and variance are those of α = %i',
    (index, shape) => {
      const shares = draws.map((each) => each[index]!);
      const mean = shape / TOTAL;
      const variance = (mean * (1 - mean)) / (TOTAL + 1);
      expect(Math.abs(meanOf(shares) - mean)).toBeLessThan(4 * Math.sqrt(variance / DRAWS));
      const squares = shares.map((share) => (share - mean) ** 2);
      // The standard error of a mean of squares, from the squares themselves.
      const error = Math.sqrt(meanOf(squares.map((square) => (square - variance) ** 2)) / DRAWS);
      expect(Math.abs(meanOf(squares) - variance)).toBeLessThan(4 * error);
    },
  );

  it('vary together as they must: what one gains the others lose, Cov = −αᵢαⱼ / (α²(α + 1))', () => {
    const [one, other] = [1, 2];
    const [first, second] = [SHAPES[one]! / TOTAL, SHAPES[other]! / TOTAL];
    const products = draws.map((shares) => (shares[one]! - first) * (shares[other]! - second));
    const covariance = (-first * second) / (TOTAL + 1);
    const error = Math.sqrt(meanOf(products.map((product) => (product - covariance) ** 2)) / DRAWS);
    expect(Math.abs(meanOf(products) - covariance)).toBeLessThan(4 * error);
  });

  it('of a single category are certain', () => {
    expect(drawDirichlet([3], random)).toEqual([1]);
  });
});
