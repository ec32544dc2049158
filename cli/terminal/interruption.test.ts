import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listenForInterruption } from './interruption.ts';

it('SIGTERM leaves at once, and never cancels', async () => {
  const told: (number | null)[] = [];
  const interruption = listenForInterruption((ms) => told.push(ms));
  process.emit('SIGTERM');
  process.emit('SIGTERM');
  await expect(interruption.wish).resolves.toBe('leave');
  expect(told).toEqual([null]);
  interruption.dispose();
});

describe('Ctrl-C', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('once leaves, after the time in which a second one would have cancelled', async () => {
    const told: (number | null)[] = [];
    const interruption = listenForInterruption((ms) => told.push(ms));
    process.emit('SIGINT');
    expect(told).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(told[0]!);
    await expect(interruption.wish).resolves.toBe('leave');
    interruption.dispose();
  });

  it('twice cancels', async () => {
    const interruption = listenForInterruption(() => undefined);
    process.emit('SIGINT');
    process.emit('SIGINT');
    await expect(interruption.wish).resolves.toBe('cancel');
    interruption.dispose();
  });

  it('has its usual meaning again afterwards, as has SIGTERM', () => {
    const counts = () => (['SIGINT', 'SIGTERM'] as const).map((signal) => process.listenerCount(signal));
    const before = counts();
    const interruption = listenForInterruption(() => undefined);
    expect(counts()).not.toEqual(before);
    interruption.dispose();
    expect(counts()).toEqual(before);
  });
});
