import { describe, expect, it } from 'vitest';
import type { Parameter } from '../../../simulators/contract.ts';
import { noveltyOf, parameterDistance } from './novelty.ts';

const parameter = (path: string, kind: Parameter['kind'], high: number): Parameter => ({
  ...{ path, kind, low: 0, high, unit: '', summary: path },
});
const parameters = [
  parameter('ranged', 'real', 1000),
  parameter('free', 'integer', 8),
  parameter('policy', 'choice', 9),
  parameter('fixed', 'real', 5),
];
const distance = parameterDistance(parameters, { ranged: [10, 30], fixed: [2, 2] });
const origin = Float64Array.of(10, 0, 0, 2);
const moved = (column: number, value: number) => origin.map((each, index) => (index === column ? value : each));

describe('the distance of two simulators', () => {
  it('is in widths of the range, or of what is possible where there is none', () => {
    expect(distance(origin, moved(0, 30))).toBe(1);
    expect(distance(origin, moved(0, 15))).toBe(0.25);
    expect(distance(origin, moved(1, 2))).toBe(0.25);
  });

  it('is 1 for two choices, whichever they are', () => {
    expect([1, 2, 9].map((choice) => distance(origin, moved(2, choice)))).toEqual([1, 1, 1]);
  });

  it('does not divide by a range of no width', () => {
    expect(distance(origin, moved(3, 2.5))).toBe(0.5);
  });

  it('is a distance: 0 to itself, alike both ways, never more than by a detour', () => {
    const points = [origin, moved(0, 17), moved(1, 8), moved(2, 3), Float64Array.of(30, 4, 1, 3)];
    for (const one of points) {
      expect(distance(one, one)).toBe(0);
      for (const other of points) {
        expect(distance(one, other)).toBe(distance(other, one));
        for (const between of points) {
          expect(distance(one, other)).toBeLessThanOrEqual(distance(one, between) + distance(between, other) + 1e-12);
        }
      }
    }
    expect(distance(origin, Float64Array.of(30, 8, 1, 2))).toBe(Math.sqrt(3));
  });
});

describe('novelty', () => {
  it('is the distance to the nearest, and infinite where there is nobody', () => {
    const pool = [moved(0, 30), moved(0, 15), moved(2, 1)];
    expect(noveltyOf(origin, pool, distance)).toBe(0.25);
    expect(noveltyOf(pool[2]!, pool, distance)).toBe(0);
    expect(noveltyOf(origin, [], distance)).toBe(Infinity);
  });
});
