import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scaleOver, ticksBetween } from './chart.ts';

const spans = fc
  .tuple(fc.double({ min: -1e4, max: 1e4, noNaN: true }), fc.double({ min: 1e-2, max: 1e4, noNaN: true }))
  .map(([low, width]) => [low, low + width] as const);

describe('ticks', () => {
  it('are round numbers', () => {
    expect(ticksBetween(-31.2, -14.9)).toEqual([-30, -25, -20, -15]);
    expect(ticksBetween(0, 0.6)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);
  });

  it('lie between the ends, at equal distances, two at least and not too many', () => {
    fc.assert(
      fc.property(spans, ([low, high]) => {
        const ticks = ticksBetween(low, high);
        const slack = (high - low) * 1e-6;
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(8);
        const step = ticks[1]! - ticks[0]!;
        for (const [index, tick] of ticks.entries()) {
          expect(tick).toBeGreaterThanOrEqual(low - slack);
          expect(tick).toBeLessThanOrEqual(high + slack);
          if (index > 0) expect(Math.abs(tick - ticks[index - 1]! - step)).toBeLessThan(slack);
        }
      }),
    );
  });
});

describe('a scale', () => {
  it('holds values that differ in their last bit alone', () => {
    for (const value of [1, -1e4, 5e-324]) {
      const { at } = scaleOver([value, value * (1 + Number.EPSILON)], 400, 20);
      expect(at(value)).toBeLessThan(400);
      expect(at(value * (1 + Number.EPSILON))).toBeGreaterThan(20);
    }
  });

  it('holds every value between its pixels, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1e4, max: 1e4, noNaN: true }), { minLength: 1 }), (values) => {
        const { at } = scaleOver(values, 400, 20);
        for (const value of values) {
          expect(at(value)).toBeLessThan(400);
          expect(at(value)).toBeGreaterThan(20);
        }
        expect(at(Math.min(...values))).toBeGreaterThanOrEqual(at(Math.max(...values)));
      }),
    );
  });
});
