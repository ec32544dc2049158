import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyMomentOf } from './key-moment.ts';

const numbers = fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 2, maxLength: 30 });

describe('the key moment', () => {
  it.each([
    { values: [1, 2, -1, -2, 0], moment: 1, why: 'the value falls by 3 after step 1' },
    { values: [5, 4, 3, 2], moment: 0, why: 'of equal falls it is the first' },
    { values: [0, 3, 4, 6], moment: 1, why: 'it never falls, and rises least after step 1' },
    { values: [2, 2], moment: 0, why: 'there is one step' },
    { values: [2, 1, NaN, 5, 2, 1], moment: 3, why: 'what falls from or to NaN does not count' },
    { values: [NaN, NaN, NaN], moment: 0, why: 'it falls nowhere' },
  ])('is step $moment of $values: $why', ({ values, moment }) => {
    expect(keyMomentOf(values)).toBe(moment);
  });

  it('is a step of the episode after which no other fall is larger, and no earlier one as large', () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const moment = keyMomentOf(values);
        const drops = values.slice(1).map((value, step) => values[step]! - value);
        expect(drops[moment]).toBe(Math.max(...drops));
        expect(drops.slice(0, moment)).not.toContain(drops[moment]);
      }),
    );
  });

  it('does not ask in which units, or from where, a critic counts', () => {
    fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: 9 }), fc.integer(), (values, scale, shift) => {
        expect(keyMomentOf(values.map((value) => value * scale + shift))).toBe(keyMomentOf(values));
      }),
    );
  });
});
