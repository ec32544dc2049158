import { describe, expect, it } from 'vitest';
import { FAILURE_CLASSES, type FailureClass } from '../schemas/records.ts';
import { decideRetry } from './retry-decision.ts';

const RETRIES = { error: 2, lost: 5, out_of_memory: 3, timeout: 1, stalled: 1 };

const TABLE: readonly (readonly [FailureClass, number, string])[] = [
  ['error', 2, 'FAILED'],
  ['lost', 5, 'CRASHED'],
  ['out_of_memory', 3, 'CRASHED'],
  ['timeout', 1, 'TIMED_OUT'],
  ['stalled', 1, 'TIMED_OUT'],
  ['diverged', 0, 'FAILED'],
  ['request', 0, 'FAILED'],
];

describe('the decision after a failed attempt', () => {
  it('[P28] is known for every class', () => {
    expect(TABLE.map(([failureClass]) => failureClass).sort()).toEqual([...FAILURE_CLASSES].sort());
  });

  it.each(TABLE)('[P28] [P39] [P49] %s is tried %i times again, then the run is %s', (failureClass, budget, state) => {
    for (let count = 1; count <= budget; count += 1) {
      expect(decideRetry(Array<FailureClass>(count).fill(failureClass), RETRIES).kind).toBe('retry');
    }
    const last = decideRetry(Array<FailureClass>(budget + 1).fill(failureClass), RETRIES);
    expect(last).toMatchObject({ kind: 'end', state });
  });

  it.each(TABLE)(
    '[P26][P31][P32] %s is tried %i times again whatever else fails in between',
    (failureClass, budget) => {
      const others = TABLE.filter(([other, most]) => other !== failureClass && most > 0).map(([other]) => other);
      const failures: FailureClass[] = [];
      for (let count = 1; count <= budget; count += 1) {
        failures.push(...(count === 1 ? others : []), failureClass);
        expect(decideRetry(failures, RETRIES).kind).toBe('retry');
      }
      expect(decideRetry([...failures, failureClass], RETRIES)).toMatchObject({ kind: 'end' });
    },
  );

  it('[P31] counts every class by itself', () => {
    expect(decideRetry(['lost', 'lost', 'out_of_memory', 'error', 'error'], RETRIES).kind).toBe('retry');
    expect(decideRetry(['error', 'lost', 'error', 'lost', 'error'], RETRIES)).toMatchObject({ state: 'FAILED' });
  });

  it('with a budget of 0 is final at once, for every class', () => {
    const none = { error: 0, lost: 0, out_of_memory: 0, timeout: 0, stalled: 0 };
    expect(FAILURE_CLASSES.map((failureClass) => decideRetry([failureClass], none).kind)).toEqual(
      FAILURE_CLASSES.map(() => 'end'),
    );
  });

  it('does not wait after the first loss, and waits longer each time after anything else', () => {
    expect(decideRetry(['lost'], RETRIES)).toEqual({ kind: 'retry', delayMs: 0 });
    const delays = [1, 2].map((count) => decideRetry(Array<FailureClass>(count).fill('error'), RETRIES));
    expect(delays).toEqual([
      { kind: 'retry', delayMs: 1_000 },
      { kind: 'retry', delayMs: 2_000 },
    ]);
  });
});
