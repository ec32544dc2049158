import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparisonGolden as golden } from '../../test/support/comparison-golden.ts';
import { performanceProfile, profileThresholds } from './performance-profile.ts';

const values = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 30 });

describe('the performance profile', () => {
  it("is rliable's", () => {
    const profile = performanceProfile(golden.first.flat(), golden.thresholds);
    profile.forEach((share, index) => expect(share).toBeCloseTo(golden.profile[index]!, 9));
  });

  it('falls from 1 below the lowest value to 0 at the highest, at thresholds that ascend', () => {
    fc.assert(
      fc.property(values, (sample) => {
        const thresholds = profileThresholds(sample);
        const profile = performanceProfile(sample, thresholds);
        expect(profile.at(-1)).toBe(0);
        if (thresholds.length > 1) expect(profile[0]).toBe(1);
        profile.slice(1).forEach((share, index) => {
          expect(share).toBeLessThanOrEqual(profile[index]!);
          expect(thresholds[index + 1]!).toBeGreaterThan(thresholds[index]!);
        });
      }),
    );
  });

  it('is NaN throughout where a value is, and has thresholds among finite values only', () => {
    expect(performanceProfile([1, NaN, 3], [0, 2])).toEqual([NaN, NaN]);
    expect(performanceProfile([], [0])).toEqual([NaN]);
    expect(performanceProfile([1, Infinity, -Infinity, 3], [0, 2, 100])).toEqual([0.75, 0.5, 0.25]);
    expect(profileThresholds([NaN, Infinity])).toEqual([]);
    expect(profileThresholds([2, 2, Infinity])).toEqual([2]);
    expect(profileThresholds([0, 3, -Infinity], 4)).toEqual([-1.5, 0, 1.5, 3]);
  });
});
