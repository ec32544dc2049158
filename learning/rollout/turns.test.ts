import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blocksOfRound, blocksOfRun } from './turns.ts';

const shares = fc
  .array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.map((part) => ({ share: part / parts.reduce((sum, other) => sum + other, 0) })));
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const equal = (count: number) => Array.from({ length: count }, () => ({ share: 1 / count }));

describe('the update blocks of a round', () => {
  it('are all given out, and everybody plays where there are as many as members', () => {
    fc.assert(
      fc.property(shares, fc.nat(60), fc.nat(60), (members, updateCount, before) => {
        const blocks = blocksOfRound(members, updateCount, before);
        expect(sumOf(blocks)).toBe(updateCount);
        expect(Math.min(...blocks)).toBeGreaterThanOrEqual(updateCount >= members.length ? 1 : 0);
      }),
    );
  });

  it('are a member’s share to less than one, unless some were given to those who would play none', () => {
    fc.assert(
      fc.property(shares, fc.integer({ min: 1, max: 60 }), fc.nat(60), (members, updateCount, before) => {
        const quotas = members.map(({ share }) => share * updateCount);
        fc.pre(Math.min(...quotas) >= 1);
        blocksOfRound(members, updateCount, before).forEach((blocks, index) =>
          expect(Math.abs(blocks - quotas[index]!)).toBeLessThan(1),
        );
      }),
    );
  });

  it('go round where shares are equal: over the run nobody is ahead of another by more than one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.array(fc.nat(11), { minLength: 1 }), (count, updatesOfRound) => {
        const totals = blocksOfRun(equal(count), updatesOfRound);
        expect(Math.max(...totals) - Math.min(...totals)).toBeLessThanOrEqual(1);
        expect(sumOf(totals)).toBe(sumOf(updatesOfRound));
      }),
    );
  });

  it('by hand', () => {
    expect(blocksOfRound([{ share: 0.5 }, { share: 0.3 }, { share: 0.2 }], 10, 0)).toEqual([5, 3, 2]);
    // 3.5, 2.1 and 1.4: the largest remainder is that of the first.
    expect(blocksOfRound([{ share: 0.5 }, { share: 0.3 }, { share: 0.2 }], 7, 0)).toEqual([4, 2, 1]);
    expect(blocksOfRound([{ share: 0.9 }, { share: 0.05 }, { share: 0.05 }], 4, 0)).toEqual([2, 1, 1]);
    expect([0, 1, 2, 3, 4].map((before) => blocksOfRound(equal(4), 1, before).indexOf(1))).toEqual([0, 1, 2, 3, 0]);
    expect(blocksOfRound(equal(4), 6, 6)).toEqual([1, 1, 2, 2]);
  });
});
