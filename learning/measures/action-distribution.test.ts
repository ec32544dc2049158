import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actionHead } from '../rollout/action-head.ts';
import { policyDifference, policyEntropy } from './action-distribution.ts';

const ACTIONS = 4;
const SPACE = { kind: 'discrete', count: ACTIONS } as const;
const row = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: ACTIONS, maxLength: ACTIONS });
/** Three rows of logits. */
const rows = fc.tuple(row, row, row).map((lists) => Float32Array.from(lists.flat()));
const place = fc.integer({ min: 0, max: 2 });

/** Without taking the largest logit out first. */
function probabilities(logits: Float32Array, at: number): number[] {
  const weights = [...logits.slice(at * ACTIONS, (at + 1) * ACTIONS)].map((logit) => Math.exp(logit));
  return weights.map((weight) => weight / weights.reduce((sum, each) => sum + each, 0));
}

describe('the entropy of an action', () => {
  it('of a half, a quarter and two eighths is seven quarters of a bit', () => {
    const logits = Float32Array.from([0.5, 0.25, 0.125, 0.125].map(Math.log));
    expect(policyEntropy(logits, 0, SPACE)).toBeCloseTo(1.75 * Math.LN2, 6);
  });

  it('agrees with a slow sum', () => {
    fc.assert(
      fc.property(rows, place, (logits, at) => {
        const expected = -probabilities(logits, at).reduce((sum, p) => sum + (p > 0 ? p * Math.log(p) : 0), 0);
        expect(policyEntropy(logits, at, SPACE)).toBeCloseTo(expected, 9);
      }),
    );
  });

  it('lies between that of a certain action and that of a uniform one', () => {
    expect(policyEntropy(Float32Array.of(1e3, -1e3, -1e3, -Infinity), 0, SPACE)).toBe(0);
    expect(policyEntropy(Float32Array.of(7, 7, 7, 7), 0, SPACE)).toBeCloseTo(Math.log(ACTIONS), 12);
    expect(policyEntropy(Float32Array.of(7, 7, -Infinity, -Infinity), 0, SPACE)).toBeCloseTo(Math.LN2, 12);
  });
});

describe('the total variation between two rows', () => {
  it('is the probability that moves', () => {
    const logits = Float32Array.from([0.5, 0.3, 0.1, 0.1].map(Math.log));
    const others = Float32Array.from([0.2, 0.3, 0.4, 0.1].map(Math.log));
    expect(policyDifference(logits, others, 0, SPACE)).toBeCloseTo(0.3, 6);
  });

  it('agrees with the largest difference that a set of actions has', () => {
    fc.assert(
      fc.property(rows, rows, place, (logits, others, at) => {
        const [p, q] = [probabilities(logits, at), probabilities(others, at)];
        const ofSet = (set: number): number =>
          p.reduce((sum, _, action) => sum + ((set >> action) & 1) * (p[action]! - q[action]!), 0);
        const expected = Math.max(...Array.from({ length: 2 ** ACTIONS }, (_, set) => ofSet(set)));
        expect(policyDifference(logits, others, at, SPACE)).toBeCloseTo(expected, 9);
      }),
    );
  });

  it('is the same both ways, 0 of equal rows and 1 of certain different actions', () => {
    fc.assert(
      fc.property(rows, rows, place, (logits, others, at) => {
        expect(policyDifference(logits, others, at, SPACE)).toBe(policyDifference(others, logits, at, SPACE));
        expect(policyDifference(logits, logits.slice(), at, SPACE)).toBe(0);
      }),
    );
    expect(
      policyDifference(Float32Array.of(1e3, -1e3), Float32Array.of(-1e3, 1e3), 0, { kind: 'discrete', count: 2 }),
    ).toBe(1);
  });
});

describe('of a box of actions', () => {
  const box = { kind: 'box', low: [-2, 0], high: [2, 5] } as const;
  const number = fc.integer({ min: -30, max: 30 }).map((tenths) => tenths / 10);
  /** Three rows of two means and two logarithms of deviations. */
  const boxRows = fc.array(number, { minLength: 12, maxLength: 12 }).map((numbers) => Float32Array.from(numbers));

  it('the entropy agrees with the mean of −log density over the distribution, summed finely', () => {
    /** −∫ p log p of one normal distribution, by the midpoint rule over ±10 deviations. */
    const entropyBySum = (deviation: number): number => {
      const [cells, width] = [2000, (20 * deviation) / 2000];
      let sum = 0;
      for (let cell = 0; cell < cells; cell += 1) {
        const distance = (cell + 0.5) * width - 10 * deviation;
        const density = Math.exp(-(distance ** 2) / (2 * deviation ** 2)) / (deviation * Math.sqrt(2 * Math.PI));
        sum -= density * Math.log(density) * width;
      }
      return sum;
    };
    fc.assert(
      fc.property(boxRows, place, (outputs, at) => {
        const deviations = [...outputs.slice(4 * at + 2, 4 * at + 4)].map((logarithm) => Math.exp(logarithm));
        const expected = deviations.reduce((sum, deviation) => sum + entropyBySum(deviation), 0);
        expect(policyEntropy(outputs, at, box)).toBeCloseTo(expected, 6);
      }),
    );
  });

  it('the difference is the mean share of the range between what the two best actions give', () => {
    const head = actionHead(box);
    const given = (outputs: Float32Array, at: number): number[] => {
      const [drawn, actions] = [new Float32Array(2), new Float32Array(2)];
      head.best(outputs, at, drawn, 0);
      head.give(drawn, 0, actions, 0);
      return [...actions];
    };
    fc.assert(
      fc.property(boxRows, boxRows, place, (outputs, others, at) => {
        const [one, other] = [given(outputs, at), given(others, at)];
        const shares = box.low.map((low, index) => Math.abs(one[index]! - other[index]!) / (box.high[index]! - low));
        expect(policyDifference(outputs, others, at, box)).toBeCloseTo((shares[0]! + shares[1]!) / 2, 6);
      }),
    );
  });

  it('the difference is the same both ways, 0 of equal rows and 1 of means at or beyond opposite ends', () => {
    fc.assert(
      fc.property(boxRows, boxRows, place, (outputs, others, at) => {
        expect(policyDifference(outputs, others, at, box)).toBe(policyDifference(others, outputs, at, box));
        expect(policyDifference(outputs, outputs.slice(), at, box)).toBe(0);
      }),
    );
    expect(policyDifference(Float32Array.of(-1, 7, 0, 0), Float32Array.of(1, -2, 0, 0), 0, box)).toBe(1);
  });
});
