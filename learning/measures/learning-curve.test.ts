import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areaUnderCurve, type CurvePoint, roughness, stepsToThreshold } from './learning-curve.ts';

const curveOf = (...points: [number, number][]): CurvePoint[] =>
  points.map(([envSteps, value]) => ({ envSteps, value }));

/** Whole env steps, strictly ascending. */
const curves = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: -50, max: 50 })), { minLength: 3, maxLength: 8 })
  .map((steps) => {
    let envSteps = 0;
    return steps.map(([apart, value]): CurvePoint => ({ envSteps: (envSteps += apart), value }));
  });

const CURVE = curveOf([0, -14], [10, -8], [30, -10], [40, -6]);

const valueAt = (curve: readonly CurvePoint[], x: number): number => {
  const index = Math.max(
    1,
    curve.findIndex(({ envSteps }) => envSteps >= x),
  );
  const [from, to] = [curve[index - 1]!, curve[index]!];
  return from.value + ((to.value - from.value) * (x - from.envSteps)) / (to.envSteps - from.envSteps);
};

describe('the mean of a curve', () => {
  it('counts what lies between two points by how far they are apart', () => {
    expect(areaUnderCurve(CURVE)).toBeCloseTo((10 * -11 + 20 * -9 + 10 * -8) / 40, 12);
  });

  it('agrees with a slow sum over its middle at every half step', () => {
    fc.assert(
      fc.property(curves, (curve) => {
        const [first, last] = [curve[0]!.envSteps, curve.at(-1)!.envSteps];
        let sum = 0;
        for (let x = first; x < last; x += 1) sum += valueAt(curve, x + 0.5);
        expect(areaUnderCurve(curve)).toBeCloseTo(sum / (last - first), 9);
      }),
    );
  });

  it('is not measured on one point', () => {
    expect(areaUnderCurve(CURVE.slice(0, 1))).toBeNaN();
  });
});

describe('the roughness of a curve', () => {
  it('is its mean absolute second difference over its range', () => {
    // |−10 + 16 − 14| = 8 and |−6 + 20 − 8| = 6, over a range of 8.
    expect(roughness(CURVE)).toBeCloseTo((8 + 6) / 2 / 8, 12);
  });

  it('agrees with a slow loop, and stays within [0, 2]', () => {
    fc.assert(
      fc.property(curves, (curve) => {
        let sum = 0;
        for (let k = 1; k < curve.length - 1; k += 1) {
          sum += Math.abs(curve[k + 1]!.value - curve[k]!.value - (curve[k]!.value - curve[k - 1]!.value));
        }
        const values = curve.map(({ value }) => value);
        const range = Math.max(...values) - Math.min(...values);
        const expected = range === 0 ? 0 : sum / (curve.length - 2) / range;
        expect(roughness(curve)).toBeCloseTo(expected, 9);
        expect(roughness(curve)).toBeLessThanOrEqual(2);
      }),
    );
  });

  it('does not change when values are shifted and scaled', () => {
    fc.assert(
      fc.property(curves, fc.integer({ min: 1, max: 9 }), fc.integer({ min: -9, max: 9 }), (curve, scale, shift) => {
        const moved = curve.map(({ envSteps, value }) => ({ envSteps, value: scale * value + shift }));
        expect(roughness(moved)).toBeCloseTo(roughness(curve), 9);
      }),
    );
  });

  it('is 0 of a straight and of a constant curve, 2 of the wildest, and not measured on two points', () => {
    expect(roughness(curveOf([0, 1], [10, 2], [20, 3]))).toBe(0);
    expect(roughness(curveOf([0, 1], [10, 1], [15, 1]))).toBe(0);
    expect(roughness(curveOf([0, 1], [10, -1], [20, 1], [30, -1]))).toBe(2);
    expect(roughness(CURVE.slice(0, 2))).toBeNaN();
  });
});

describe('the env steps to a threshold', () => {
  it('are those of the first crossing', () => {
    expect(stepsToThreshold(CURVE, -11)).toBe(5);
    expect(stepsToThreshold(CURVE, -8)).toBe(10);
    expect(stepsToThreshold(CURVE, -7)).toBe(37.5);
    expect(stepsToThreshold(CURVE, -20)).toBe(0);
    expect(stepsToThreshold(CURVE, -5.9)).toBeNull();
    expect(stepsToThreshold([], 0)).toBeNull();
  });

  it('pass over values that are no number', () => {
    expect(stepsToThreshold(curveOf([0, NaN], [10, -8]), -9)).toBe(10);
  });

  it('are where the curve has that value, and it has lower ones before', () => {
    fc.assert(
      fc.property(curves, fc.integer({ min: -50, max: 50 }), (curve, threshold) => {
        const reached = stepsToThreshold(curve, threshold);
        if (reached === null) {
          expect(curve.every(({ value }) => value < threshold)).toBe(true);
          return;
        }
        if (reached > curve[0]!.envSteps) expect(valueAt(curve, reached)).toBeCloseTo(threshold, 9);
        expect(curve.filter(({ envSteps }) => envSteps < reached).every(({ value }) => value < threshold)).toBe(true);
      }),
    );
  });
});
