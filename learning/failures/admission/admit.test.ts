import { describe, expect, it } from 'vitest';
import { SITUATIONS } from '../../../test/support/strategy-situation.ts';
import { admit, type AdmissionOptions, type JudgedCandidate } from './admit.ts';

const { simulator } = SITUATIONS.spread.train[0]!;

/** A candidate at a place on a line, on which the distance is the plain one. */
const judged = (name: string, place: number, score: number, refusal: string | null = null): JudgedCandidate => ({
  candidate: { name, simulator, parents: [], origin: 'made up' },
  vector: Float64Array.of(place),
  score,
  refusal,
});
const options: AdmissionOptions = {
  count: 2,
  noveltyWeight: 0,
  pool: [Float64Array.of(0)],
  distance: (one, other) => Math.abs(one[0]! - other[0]!),
};
const admittedOf = (candidates: readonly JudgedCandidate[], changes: Partial<AdmissionOptions> = {}) =>
  admit(candidates, { ...options, ...changes }).admitted.map(({ name }) => name);
const judgementOf = (name: string, candidates: readonly JudgedCandidate[], changes: Partial<AdmissionOptions> = {}) =>
  admit(candidates, { ...options, ...changes }).judgements.find(({ candidate }) => candidate === name)!;

describe('admission', () => {
  it('lets in the best scores, the best first', () => {
    expect(admittedOf([judged('low', 1, 1), judged('best', 1, 9), judged('good', 1, 5)])).toEqual(['best', 'good']);
  });

  it('without a weight does not look at novelty', () => {
    const candidates = [judged('far', 1000, 1), judged('near', 0, 9), judged('nearer', 0, 5)];
    expect(admittedOf(candidates)).toEqual(['near', 'nearer']);
    expect(admittedOf(candidates, { noveltyWeight: 10 })[0]).toBe('far');
  });

  it('weighs score and novelty as deviations, whatever their units', () => {
    const [cheap, dear] = [1e-6, 1e6].map((unit) =>
      admittedOf([judged('scored', 1, 3 * unit), judged('far', 9, unit), judged('neither', 1, unit)], {
        noveltyWeight: 0.9,
      }),
    );
    // Of the three, one alone is high in score and one alone in novelty: both deviate alike, and the weight decides.
    expect(cheap![0]).toBe('scored');
    expect(dear).toEqual(cheap);
    expect(
      admittedOf([judged('scored', 1, 3), judged('far', 9, 1), judged('neither', 1, 1)], { noveltyWeight: 1.1 })[0],
    ).toBe('far');
  });

  it('is greedy: who was let in before counts as known, so that look-alikes do not enter together', () => {
    const candidates = [judged('far', 10, 0), judged('twin', 10.1, 0), judged('other', -6, 0)];
    expect(admittedOf(candidates, { noveltyWeight: 1 })).toEqual(['twin', 'other']);
    expect(judgementOf('far', candidates, { noveltyWeight: 1 }).novelty).toBeCloseTo(0.1, 12);
  });

  it('tells the novelty as it was when someone entered', () => {
    const candidates = [judged('far', 10, 0), judged('twin', 10.1, 0), judged('other', -6, 0)];
    expect(judgementOf('twin', candidates, { noveltyWeight: 1 }).novelty).toBe(10.1);
    expect(judgementOf('other', candidates, { noveltyWeight: 1 }).novelty).toBe(6);
  });

  it('takes the first of equals', () => {
    const alike = ['a', 'b', 'c'].map((name) => judged(name, 1, 0.1));
    expect(admittedOf(alike)).toEqual(['a', 'b']);
    expect(admittedOf(alike, { noveltyWeight: 1 })).toEqual(['a', 'b']);
    expect(admittedOf(alike.map((each) => ({ ...each, score: NaN })))).toEqual(['a', 'b']);
  });

  it('counts an unknown score as the mean of those still to be chosen', () => {
    const scores = { unknown: NaN, low: 1, lower: 0.9, high: 5, higher: 6 };
    const candidates = Object.entries(scores).map(([name, score]) => judged(name, 1, score));
    // When the two high ones are in, the mean is between 0.9 and 1.
    expect(admittedOf(candidates, { count: 5 })).toEqual(['higher', 'high', 'low', 'unknown', 'lower']);
    expect(judgementOf('unknown', candidates).score).toBeNaN();
  });

  it('into an empty pool counts all as equally new at first', () => {
    const candidates = [judged('a', 1, 0), judged('b', 3, 0), judged('c', 9, 0)];
    expect(admittedOf(candidates, { pool: [], noveltyWeight: 1 })).toEqual(['a', 'c']);
    expect(judgementOf('a', candidates, { pool: [], noveltyWeight: 1 }).novelty).toBe(Infinity);
  });

  it('never lets a refused one in, however good and however few the others are', () => {
    const candidates = [judged('trivial', 99, 99, 'trivial'), judged('plain', 0, 0)];
    expect(admittedOf(candidates, { count: 5, noveltyWeight: 1 })).toEqual(['plain']);
    expect(judgementOf('trivial', candidates).refusal).toBe('trivial');
  });

  it('judges every candidate in its order: null for who enters, a reason for who does not', () => {
    const candidates = [judged('a', 1, 1), judged('b', 2, 3, 'trivial'), judged('c', 3, 2), judged('d', 4, 0)];
    const { admitted, judgements } = admit(candidates, options);
    expect(judgements.map(({ candidate, score, novelty }) => [candidate, score, novelty])).toEqual([
      ['a', 1, 1],
      ['b', 3, 2],
      ['c', 2, 3],
      // Those who entered count: the nearest of them is 1 away.
      ['d', 0, 1],
    ]);
    expect(judgements.filter(({ refusal }) => refusal === null).map(({ candidate }) => candidate)).toEqual(
      admitted.map(({ name }) => name).toSorted(),
    );
    expect(judgements[3]!.refusal).toBe('outdone by 2 of 4 candidates');
  });

  it('of nobody, or for no place, lets nobody in', () => {
    expect(admit([], options)).toEqual({ admitted: [], judgements: [] });
    expect(admittedOf([judged('a', 1, 1)], { count: 0 })).toEqual([]);
  });
});
