import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holm } from './holm.ts';

const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });

/** Step by step as Holm has it: which hypotheses are rejected at a level. */
function rejected(values: readonly number[], level: number): boolean[] {
  const isRejected = values.map(() => false);
  const left = new Set(values.keys());
  while (left.size > 0) {
    const lowest = [...left].reduce((best, index) => (values[index]! < values[best]! ? index : best));
    if (left.size * values[lowest]! > level) break;
    isRejected[lowest] = true;
    left.delete(lowest);
  }
  return isRejected;
}

describe('p-values corrected after Holm', () => {
  it('by hand', () => {
    // 4 · 0.005, 3 · 0.01, 2 · 0.03, and 0.04, which may not be below the one before it.
    holm([0.01, 0.04, 0.03, 0.005]).forEach((value, index) => {
      expect(value).toBeCloseTo([0.03, 0.06, 0.06, 0.02][index]!, 12);
    });
    expect(holm([0.6, 0.7])).toEqual([1, 1]);
    expect(holm([0.25])).toEqual([0.25]);
    expect(holm([])).toEqual([]);
  });

  it('are at most a level exactly where the procedure step by step rejects at it', () => {
    let rejections = 0;
    fc.assert(
      fc.property(pValues, fc.double({ min: 0.01, max: 0.9, noNaN: true }), (values, level) => {
        const steps = rejected(values, level);
        rejections += steps.filter(Boolean).length;
        expect(holm(values).map((value) => value <= level)).toEqual(steps);
      }),
    );
    expect(rejections).toBeGreaterThan(10);
  });

  it('are never below what they correct, and follow it through any order', () => {
    fc.assert(
      fc.property(pValues, (values) => {
        const corrected = holm(values);
        corrected.forEach((value, index) => expect(value).toBeGreaterThanOrEqual(values[index]!));
        expect(holm([...values].reverse())).toEqual([...corrected].reverse());
      }),
    );
  });
});
