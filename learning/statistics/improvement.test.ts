import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  comparisonGolden as golden,
  intervalDistance,
  RESAMPLING_ERROR,
} from '../../test/support/comparison-golden.ts';
import { bootstrapInterval } from './bootstrap.ts';
import { improvementInterval, probabilityOfImprovement, type TaskPair } from './improvement.ts';

const FEW = { resamples: 400 };
const goldenTasks = golden.first.map((first, task) => ({ first, second: golden.second[task]! }));
const values = fc.array(fc.integer({ min: -6, max: 6 }), { minLength: 5, maxLength: 9 });
const tasks = fc.array(fc.record({ first: values, second: values }), { minLength: 1, maxLength: 3 });

/** Every run against every other, one by one. */
function slowProbability(pairs: readonly TaskPair[]): number {
  let sum = 0;
  for (const { first, second } of pairs) {
    let wins = 0;
    for (const one of first) for (const other of second) wins += one > other ? 1 : one === other ? 0.5 : 0;
    sum += wins / (first.length * second.length);
  }
  return sum / pairs.length;
}

describe('the probability of improvement', () => {
  it("is rliable's, ties included, with its interval up to the noise of the resamples", () => {
    expect(probabilityOfImprovement(goldenTasks)).toBeCloseTo(golden.improvement, 9);
    // Theirs has a fifth of the resamples.
    const error = RESAMPLING_ERROR * Math.sqrt(5);
    expect(intervalDistance(improvementInterval(goldenTasks)!, golden.improvement_interval)).toBeLessThan(error);
  });

  it('is the share of pairs that the first wins, ties half, on the mean of the tasks', () => {
    fc.assert(
      fc.property(tasks, (pairs) => {
        expect(probabilityOfImprovement(pairs)).toBeCloseTo(slowProbability(pairs), 12);
        const reversed = pairs.map(({ first, second }) => ({ first: second, second: first }));
        expect(probabilityOfImprovement(reversed)).toBeCloseTo(1 - probabilityOfImprovement(pairs), 12);
      }),
    );
  });

  it('has an interval that holds it, widens with confidence, and does not see the order of the runs', () => {
    fc.assert(
      fc.property(tasks, (pairs) => {
        const estimate = probabilityOfImprovement(pairs);
        const [low, high] = improvementInterval(pairs, FEW)!;
        expect(low).toBeLessThanOrEqual(estimate + 1e-9);
        expect(high).toBeGreaterThanOrEqual(estimate - 1e-9);
        const wider = improvementInterval(pairs, { ...FEW, confidence: 0.99 })!;
        expect(wider[0]).toBeLessThanOrEqual(low);
        expect(wider[1]).toBeGreaterThanOrEqual(high);
        const turned = pairs.map(({ first, second }) => ({ first: first.toReversed(), second: second.toReversed() }));
        expect(improvementInterval(turned, FEW)).toEqual([low, high]);
      }),
      { numRuns: 50 },
    );
  });

  it('resamples the two independently: of one against a constant the interval is that of its share above it', () => {
    const first = [0, 0, 1, 1, 1, 1, 0, 1];
    const second = Array.from({ length: 6 }, () => 0.5);
    const share = bootstrapInterval({
      strata: [first.toSorted()],
      statistic: (items) => items.filter((item) => item > 0.5).length / items.length,
    });
    expect(improvementInterval([{ first, second }])).toEqual(share);
    // One against itself: were draws shared, every resample would be a tie.
    const itself = [1, 2, 3, 4, 5, 6];
    const [low, high] = improvementInterval([{ first: itself, second: itself }])!;
    expect(low).toBeLessThan(0.3);
    expect(high).toBeGreaterThan(0.7);
  });

  it('is NaN with a NaN and without values, and compares infinite values like others', () => {
    const second = [1, 2, 3, 4, 5];
    expect(probabilityOfImprovement([{ first: [NaN, 9], second }])).toBeNaN();
    expect(probabilityOfImprovement([{ first: [], second }])).toBeNaN();
    expect(probabilityOfImprovement([])).toBeNaN();
    expect(improvementInterval([{ first: [NaN, 1, 2, 3, 4], second }], FEW)).toEqual([NaN, NaN]);
    const infinite = [{ first: [Infinity, -Infinity], second: [Infinity, 0] }];
    expect(probabilityOfImprovement(infinite)).toBe((0.5 + 1) / 4);
    expect(improvementInterval([{ first: second, second: [1, 2, 3, 4] }])).toBeNull();
  });
});
