import { describe, expect, it } from 'vitest';
import { ageText, countText, durationText, measureText, pluralText, timeText } from './quantity-text.ts';

describe('quantities for people', () => {
  it('are durations in their two largest units', () => {
    expect([0.44, 45, 60, 90, 3 * 3600, 3 * 3600 + 1200, 2 * 86_400 + 3600].map(durationText)).toEqual([
      '0.4 s',
      '45 s',
      '1 min',
      '1 min 30 s',
      '3 h',
      '3 h 20 min',
      '2 d 1 h',
    ]);
    expect(durationText(NaN)).toBe('–');
  });

  it('are counts in groups of three digits', () => {
    expect([0, 999, 1000, 1_024_000].map(countText)).toEqual(['0', '999', '1 000', '1 024 000']);
    expect([pluralText(1, 'run'), pluralText(2, 'run')]).toEqual(['1 run', '2 runs']);
  });

  it('are measured values with two decimals, of which small ones keep two digits', () => {
    expect([-12.345, 0, 0.00123, NaN, null].map(measureText)).toEqual(['-12.35', '0.00', '0.0012', 'NaN', '–']);
  });

  it('are moments in UTC and how long ago they were', () => {
    const moment = new Date('2026-01-02T03:04:05.678Z');
    expect(timeText(moment)).toBe('2026-01-02 03:04:05 Z');
    expect(ageText(moment, moment.getTime() + 90_000)).toBe('1 min 30 s ago');
  });
});
