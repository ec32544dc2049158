import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitEnvironments } from './environment-range.ts';

it('ranges hold every environment once, in order, and differ by one at most', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 0, max: 300 }), (rangeCount, more) => {
      const total = rangeCount + more;
      const ranges = splitEnvironments(total, rangeCount);
      const held = ranges.flatMap(({ first, count }) => Array.from({ length: count }, (_, index) => first + index));
      expect(held).toEqual(Array.from({ length: total }, (_, environment) => environment));
      const counts = ranges.map(({ count }) => count);
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      expect(ranges.length).toBe(rangeCount);
    }),
  );
});

it('a range without an environment is refused', () => {
  expect(() => splitEnvironments(2, 3)).toThrow('2 environments cannot be played by 3 samplers');
});
