import { describe, expect, it } from 'vitest';
import { restartDelayMs } from './restart-policy.ts';

const policy = { windowMs: 1_000, restartsMax: 4, firstDelayMs: 10, longestDelayMs: 50 };

describe('restartDelayMs', () => {
  it('doubles with every death in the window, up to the longest delay', () => {
    const deaths = [100, 200, 300, 400];
    const delays = deaths.map((now, index) => restartDelayMs(deaths.slice(0, index + 1), now, policy));
    expect(delays).toEqual([10, 20, 40, policy.longestDelayMs]);
  });

  it('gives up after the allowed number within the window', () => {
    const deaths = Array.from({ length: policy.restartsMax + 1 }, (_, index) => index);
    expect(restartDelayMs(deaths, deaths.length, policy)).toBeNull();
  });

  it('forgets deaths that lie before the window', () => {
    const deaths = Array.from({ length: policy.restartsMax }, (_, index) => index);
    const now = policy.windowMs + policy.restartsMax;
    expect(restartDelayMs([...deaths, now], now, policy)).toBe(policy.firstDelayMs);
  });
});
