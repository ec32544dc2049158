import { describe, expect, it } from 'vitest';
import { decimalsFromSpread, decimalsFromValues } from './decimals.ts';

describe('the digits of a number', () => {
  it('are as many as leave two of its spread', () => {
    const decimals = [
      [0.4126, 2],
      [0.099, 3],
      [0.0999, 2],
      [4.126, 1],
      [41.26, 0],
      [4126, 0],
      [1e-12, 8],
    ] as const;
    for (const [spread, expected] of decimals) expect(decimalsFromSpread(spread), String(spread)).toBe(expected);
    for (const none of [0, NaN, Infinity, null, undefined]) expect(decimalsFromSpread(none)).toBeNull();
  });

  it('are without a spread as many as the values differ in, or three, and of whole numbers none', () => {
    expect(decimalsFromValues([-21.4, -21.8, NaN, Infinity])).toBe(2);
    expect(decimalsFromValues([0.123456])).toBe(3);
    expect(decimalsFromValues([1234.56])).toBe(0);
    expect(decimalsFromValues([3, 40, 500])).toBe(0);
    expect(decimalsFromValues([NaN])).toBe(0);
  });
});
