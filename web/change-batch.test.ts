import { describe, expect, it } from 'vitest';
import type { Told } from '../infra/postgres/change-feed.ts';
import { ChangeBatch } from './change-batch.ts';

const run = (number: number, roundsCompleted = 0): Told => ({
  kind: 'run',
  change: { experimentId: 'e', runId: `e/v/${number}`, state: 'RUNNING', roundsCompleted, envSteps: 0 },
});

describe('a batch of changes', () => {
  it('holds the newest of each run, and is empty once it is taken', () => {
    const batch = new ChangeBatch();
    for (let round = 0; round < 1000; round += 1) batch.add(run(round % 2, round));
    expect(batch.take().changes.map(({ run_id, rounds_completed }) => [run_id, rounds_completed])).toEqual([
      ['e/v/0', 998],
      ['e/v/1', 999],
    ]);
    expect(batch.isEmpty).toBe(true);
  });

  it('does not grow with the number of runs: of most it tells the experiment', () => {
    const batch = new ChangeBatch();
    for (let number = 0; number < 10_000; number += 1) batch.add(run(number));
    batch.add(run(0, 7));
    const { changes, experiments, everything } = batch.take();
    expect(changes.length).toBeLessThanOrEqual(200);
    expect(changes[0]).toMatchObject({ run_id: 'e/v/0', rounds_completed: 7 });
    expect([experiments, everything]).toEqual([['e'], false]);
  });

  it('says when something may have been missed', () => {
    const batch = new ChangeBatch();
    batch.add({ kind: 'missed' });
    batch.add({ kind: 'experiment', experimentId: 'new' });
    expect(batch.isEmpty).toBe(false);
    expect(batch.take()).toEqual({ changes: [], experiments: ['new'], everything: true });
  });
});
