import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actionEntropy, totalVariation } from './action-distribution.ts';

const ACTIONS = 4;
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
    expect(actionEntropy(logits, 0, ACTIONS)).toBeCloseTo(1.75 * Math.LN2, 6);
  });

  it('agrees with a slow sum', () => {
    fc.assert(
      fc.property(rows, place, (logits, at) => {
        const expected = -probabilities(logits, at).reduce((sum, p) => sum + (p > 0 ? p * Math.log(p) : 0), 0);
        expect(actionEntropy(logits, at, ACTIONS)).toBeCloseTo(expected, 9);
      }),
    );
  });

  it('lies between that of a certain action and that of a uniform one', () => {
    expect(actionEntropy(Float32Array.of(1e3, -1e3, -1e3, -Infinity), 0, ACTIONS)).toBe(0);
    expect(actionEntropy(Float32Array.of(7, 7, 7, 7), 0, ACTIONS)).toBeCloseTo(Math.log(ACTIONS), 12);
    expect(actionEntropy(Float32Array.of(7, 7, -Infinity, -Infinity), 0, ACTIONS)).toBeCloseTo(Math.LN2, 12);
  });
});

describe('the total variation between two rows', () => {
  it('is the probability that moves', () => {
    const logits = Float32Array.from([0.5, 0.3, 0.1, 0.1].map(Math.log));
    const others = Float32Array.from([0.2, 0.3, 0.4, 0.1].map(Math.log));
    expect(totalVariation(logits, others, 0, ACTIONS)).toBeCloseTo(0.3, 6);
  });

  it('agrees with the largest difference that a set of actions has', () => {
    fc.assert(
      fc.property(rows, rows, place, (logits, others, at) => {
        const [p, q] = [probabilities(logits, at), probabilities(others, at)];
        const ofSet = (set: number): number =>
          p.reduce((sum, _, action) => sum + ((set >> action) & 1) * (p[action]! - q[action]!), 0);
        const expected = Math.max(...Array.from({ length: 2 ** ACTIONS }, (_, set) => ofSet(set)));
        expect(totalVariation(logits, others, at, ACTIONS)).toBeCloseTo(expected, 9);
      }),
    );
  });

  it('is the same both ways, 0 of equal rows and 1 of certain different actions', () => {
    fc.assert(
      fc.property(rows, rows, place, (logits, others, at) => {
        expect(totalVariation(logits, others, at, ACTIONS)).toBe(totalVariation(others, logits, at, ACTIONS));
        expect(totalVariation(logits, logits.slice(), at, ACTIONS)).toBe(0);
      }),
    );
    expect(totalVariation(Float32Array.of(1e3, -1e3), Float32Array.of(-1e3, 1e3), 0, 2)).toBe(1);
  });
});
