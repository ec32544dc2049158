import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Replayable, replayDistribution, type ReplayOptions } from './replay-distribution.ts';

const entriesOf = (scores: readonly number[], ages: readonly number[]): Replayable[] =>
  scores.map((score, index) => ({ score, age: ages[index]! }));

/** Every rank counted out, every share a quotient of sums. */
function slowly(entries: readonly Replayable[], { temperature, staleness }: ReplayOptions): number[] {
  const isAhead = (a: number, b: number) =>
    entries[a]!.score > entries[b]!.score || (entries[a]!.score === entries[b]!.score && a < b);
  const places = entries.map((_, index) => index);
  const ranks = places.map((index) => 1 + places.filter((other) => isAhead(other, index)).length);
  const priority = (index: number) => (1 / ranks[index]!) ** (1 / temperature);
  const priorities = places.reduce((sum, index) => sum + priority(index), 0);
  const ages = entries.reduce((sum, { age }) => sum + age, 0);
  return places.map((index) => {
    const byScore = priority(index) / priorities;
    return ages === 0 ? byScore : (1 - staleness) * byScore + (staleness * entries[index]!.age) / ages;
  });
}

const someEntries = fc.array(
  fc.record({ score: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true })), age: fc.nat({ max: 9 }) }),
  { minLength: 1, maxLength: 40 },
);
const someOptions = fc.record({
  temperature: fc.double({ min: 0.05, max: 10, noNaN: true }),
  staleness: fc.double({ min: 0, max: 1, noNaN: true }),
});

describe('the replay distribution', () => {
  it('is the one computed by hand: ranks 1, 3, 2 at β = 1', () => {
    // 1/1, 1/3, 1/2 of their sum 11/6.
    const shares = replayDistribution(entriesOf([3, 1, 2], [0, 0, 0]), { temperature: 1, staleness: 0.5 });
    [6 / 11, 2 / 11, 3 / 11].forEach((share, index) => expect(shares[index]).toBeCloseTo(share, 15));
  });

  it('is the one computed by hand: β = ½ squares the inverse ranks, and ages 0, 1, 3 have half', () => {
    // 1, 1/9, 1/4 of their sum 49/36; ages 0, 1/4, 3/4.
    const shares = replayDistribution(entriesOf([3, 1, 2], [0, 1, 3]), { temperature: 0.5, staleness: 0.5 });
    [36 / 98, 4 / 98 + 1 / 8, 9 / 98 + 3 / 8].forEach((share, index) => expect(shares[index]).toBeCloseTo(share, 15));
  });

  it('agrees with a slow loop', () => {
    fc.assert(
      fc.property(someEntries, someOptions, (entries, options) => {
        const expected = slowly(entries, options);
        replayDistribution(entries, options).forEach((share, index) => expect(share).toBeCloseTo(expected[index]!, 12));
      }),
    );
  });

  it('sums to 1, and each share is a probability', () => {
    fc.assert(
      fc.property(someEntries, someOptions, (entries, options) => {
        const shares = replayDistribution(entries, options);
        expect(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1)).toBeLessThan(1e-12);
        for (const share of shares) {
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('gives an entry of a higher score no less than another of its age, and each at least its share by age', () => {
    fc.assert(
      fc.property(someEntries, someOptions, (entries, options) => {
        const shares = replayDistribution(entries, options);
        const ages = entries.reduce((sum, { age }) => sum + age, 0);
        for (const [a, { score, age }] of entries.entries()) {
          if (ages > 0) expect(shares[a]!).toBeGreaterThanOrEqual((options.staleness * age) / ages - 1e-12);
          for (const [b, other] of entries.entries()) {
            if (score > other.score && age === other.age) expect(shares[a]!).toBeGreaterThanOrEqual(shares[b]!);
          }
        }
      }),
    );
  });

  it('ranks equal scores by insertion', () => {
    const shares = replayDistribution(entriesOf([1, 1, 1], [0, 0, 0]), { temperature: 1, staleness: 0 });
    [6 / 11, 3 / 11, 2 / 11].forEach((share, index) => expect(shares[index]).toBeCloseTo(share, 15));
  });

  it('knows scores by their order only', () => {
    fc.assert(
      fc.property(someEntries, someOptions, (entries, options) => {
        const order = [...new Set(entries.map(({ score }) => score))].sort((a, b) => a - b);
        const ordinal = entries.map((entry) => ({ ...entry, score: order.indexOf(entry.score) }));
        // −0 and 0 are one score.
        fc.pre(!order.includes(0) || !entries.some(({ score }) => Object.is(score, -0)));
        expect(replayDistribution(ordinal, options)).toEqual(replayDistribution(entries, options));
      }),
    );
  });

  it('of no entries is empty', () => {
    expect(replayDistribution([], { temperature: 1, staleness: 0.3 })).toEqual([]);
  });
});
