import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resultRow } from '../../test/support/result-row.ts';
import { specialistRegret } from './specialist-regret.ts';

const finite = fc.double({ min: -100, max: 100, noNaN: true });

describe('the regret against specialists', () => {
  it('is the mean of what they get more on each test simulator', () => {
    const testReturns = [
      { own: -12, specialist: -8 },
      { own: -10, specialist: -9 },
    ];
    expect(specialistRegret({ testReturns })).toBe((4 + 1) / 2);
    fc.assert(
      fc.property(fc.array(fc.record({ own: finite, specialist: finite }), { minLength: 1 }), (pairs) => {
        let sum = 0;
        for (const { own, specialist } of pairs) sum += specialist - own;
        expect(specialistRegret({ testReturns: pairs })).toBeCloseTo(sum / pairs.length, 9);
      }),
    );
  });

  it('does not move where a simulator is harder for both', () => {
    fc.assert(
      fc.property(finite, finite, finite, (own, specialist, harder) => {
        const before = specialistRegret({ testReturns: [{ own, specialist }] })!;
        const after = specialistRegret({ testReturns: [{ own: own - harder, specialist: specialist - harder }] })!;
        expect(after).toBeCloseTo(before, 9);
      }),
    );
  });

  it('is not measured where nothing is held out or a specialist is missing', () => {
    expect(specialistRegret(resultRow())).toBeNull();
    const testReturns = [
      { own: -12, specialist: -8 },
      { own: -10, specialist: null },
    ];
    expect(specialistRegret({ testReturns })).toBeNull();
    expect(specialistRegret({ testReturns: [{ own: NaN, specialist: -8 }] })).toBeNaN();
  });
});
