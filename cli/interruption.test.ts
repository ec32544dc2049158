import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listenForInterruption } from './interruption.ts';

describe('Ctrl-C', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('once leaves, after the time in which a second one would have cancelled', async () => {
    const told: number[] = [];
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

  it('has its usual meaning again afterwards', () => {
    const before = process.listenerCount('SIGINT');
    listenForInterruption(() => undefined).dispose();
    expect(process.listenerCount('SIGINT')).toBe(before);
  });
});
