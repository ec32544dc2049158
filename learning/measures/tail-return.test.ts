import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mean } from '../statistics/moments.ts';
import { tailReturn } from './tail-return.ts';

/** Returns by simulator, equally many of each; whole numbers, so that shifts and scales leave ties tied. */
const panels = fc.integer({ min: 2, max: 25 }).chain((episodes) =>
  fc.array(fc.array(fc.integer({ min: -100, max: 100 }), { minLength: episodes, maxLength: episodes }), {
    minLength: 1,
    maxLength: 4,
  }),
);

const odd = (returns: readonly (readonly number[])[]): number[] =>
  returns.flatMap((episodes) => episodes.filter((_, episode) => episode % 2 === 1));

/** For each odd-numbered return, counts how many even-numbered ones lie strictly below it. */
function tailSlowly(returns: readonly (readonly number[])[]): number {
  const even = returns.flatMap((episodes) => episodes.filter((_, episode) => episode % 2 === 0));
  // At or below the quantile: fewer than a tenth of the even ones are lower, and some even one is no lower.
  const tail = odd(returns).filter(
    (value) => even.filter((other) => other < value).length < 0.1 * even.length - 1e-9 && value <= Math.max(...even),
  );
  return mean(tail);
}

describe('the tail of a panel', () => {
  it('is chosen on the even episodes and reported on the odd ones', () => {
    // Even: −10 … −1, a tenth of which is −10; odd: what is at or below −10.
    const episodes = Array.from({ length: 10 }, (_, index) => [-10 + index, [-30, -12, -10, -9][index] ?? 5]).flat();
    expect(tailReturn([episodes])).toBeCloseTo((-30 - 12 - 10) / 3, 12);
  });

  it('counts simulators alike, however many episodes they have', () => {
    const few = [0, -4, 0, -4];
    const many = [-8, -8, -8, -8, -8, -8, -8, -8];
    expect(tailReturn([few, many])).toBe(-8);
    // Two thirds of the episodes lie in `many`, half of the weight: with it all below the threshold, both count half.
    expect(
      tailReturn([
        [-4, -4],
        many
          .map(() => -4)
          .with(1, -8)
          .with(3, -8),
      ]),
    ).toBeCloseTo((-4 + (-8 - 4) / 2) / 2, 12);
  });

  it('is NaN where no odd episode is as bad', () => {
    expect(tailReturn([[-10, -1, -10, -2]])).toBeNaN();
    expect(tailReturn([[-10]])).toBeNaN();
  });

  it('agrees with a slow count', () => {
    fc.assert(
      fc.property(panels, (returns) => {
        const expected = tailSlowly(returns);
        if (Number.isNaN(expected)) expect(tailReturn(returns)).toBeNaN();
        else expect(tailReturn(returns)).toBeCloseTo(expected, 9);
      }),
    );
  });

  it('moves and scales with the returns', () => {
    fc.assert(
      fc.property(
        panels,
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: -50, max: 50 }),
        (returns, scale, shift) => {
          const moved = returns.map((episodes) => episodes.map((value) => scale * value + shift));
          const expected = scale * tailReturn(returns) + shift;
          if (Number.isNaN(expected)) expect(tailReturn(moved)).toBeNaN();
          else expect(tailReturn(moved)).toBeCloseTo(expected, 8);
        },
      ),
    );
  });

  it('is at most the mean of the odd episodes, and does not depend on the order of the simulators', () => {
    fc.assert(
      fc.property(panels, (returns) => {
        const tail = tailReturn(returns);
        fc.pre(!Number.isNaN(tail));
        expect(tail).toBeLessThanOrEqual(mean(odd(returns)) + 1e-9);
        expect(tailReturn([...returns].reverse())).toBeCloseTo(tail, 9);
      }),
    );
  });
});
