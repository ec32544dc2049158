import { describe, expect, it } from 'vitest';
import { alikeText, countText, durationText, intervalText, numberText, shareText } from './number-text.ts';

describe('numbers in words', () => {
  it('tell apart what was not measured, what is no number, and what is infinite', () => {
    const texts = [null, NaN, Infinity, -Infinity, 0].map(numberText);
    expect(texts).toEqual(['–', 'NaN', '∞', '−∞', '0']);
    expect([null, NaN, Infinity].map(shareText)).toEqual(['–', 'NaN', '∞']);
    expect(durationText(null)).toBe('–');
    expect(intervalText(null)).toBe('–');
  });

  it('have four significant digits, and exponents only far from 1', () => {
    expect([-12.34567, 0.0123456, 1234.5, 123456.7].map(numberText)).toEqual(['−12.35', '0.01235', '1235', '123457']);
    expect([1.5e9, 2e-7].map(numberText)).toEqual(['1.50e+9', '2.00e−7']);
  });

  it('set thousands apart', () =>
    expect([999, 1000, -1234567].map(countText)).toEqual(['999', '1\u202f000', '−1\u202f234\u202f567']));

  it('that stand together have as many places as the largest of them', () => {
    const text = alikeText([-16, -9.75, null, NaN]);
    expect([-16, -9.75, null, NaN].map(text)).toEqual(['−16.00', '−9.75', '–', 'NaN']);
    expect(alikeText([1, 20])(20)).toBe('20');
  });

  it('of time are in its two largest units', () => {
    expect([5, 65, 3660, 90_000].map(durationText)).toEqual(['5 s', '1 min 5 s', '1 h 1 min', '1 d 1 h']);
  });
});
