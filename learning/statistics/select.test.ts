import fc from 'fast-check';
import { expect, it } from 'vitest';
import { select } from './select.ts';

// Whole numbers of a narrow range are often equal, and infinite values have their place.
const value = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.constantFrom(Infinity, -Infinity),
  fc.double({ noNaN: true }),
);

it('selects what stands at a place after sorting, with nothing larger before it and nothing smaller after it', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 60 }), fc.nat(), (values, chosen) => {
      const place = chosen % values.length;
      const selected = Float64Array.from(values);
      const sorted = Float64Array.from(values).sort();
      // −0 and 0 are one value to it.
      expect(select(selected, place) + 0).toBe(sorted[place]! + 0);
      expect(selected.subarray(0, place).every((each) => each <= sorted[place]!)).toBe(true);
      expect(selected.subarray(place).every((each) => each >= sorted[place]!)).toBe(true);
      expect(selected.toSorted().map((each) => each + 0)).toEqual(sorted.map((each) => each + 0));
    }),
  );
});
