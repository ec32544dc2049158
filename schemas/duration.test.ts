import { expect, test } from 'vitest';
import { durationMs, durationSchema } from './duration.ts';

test.each([
  ['90s', 90 * 1000],
  ['10m', 10 * 60 * 1000],
  ['6h', 6 * 60 * 60 * 1000],
])('%s is %d ms', (text, milliseconds) => {
  expect(durationSchema.parse(text)).toBe(text);
  expect(durationMs(text)).toBe(milliseconds);
});

test.each(['', '10', 'm', '0s', '-1s', '1.5h', '10 m', '1d', '10M'])('%j is no duration', (text) => {
  expect(durationSchema.safeParse(text).success).toBe(false);
  expect(() => durationMs(text)).toThrow(RangeError);
});
