import { expect, it } from 'vitest';
import { progressText } from './cross-play-progress.ts';

it('the progress of a cross-play tells the time left at the speed so far', () => {
  expect(progressText(0, 4, 900)).toBe('0 of 4 pairs played');
  // 30 s for one pair, three are left.
  expect(progressText(1, 4, 30_000)).toBe('1 of 4 pairs played, about 1 min 30 s left');
});
