import { describe, expect, it } from 'vitest';
import type { RunStatus } from '../infra/postgres/run-rows.ts';
import { progressFrom, stepsDone, withSample } from './progress.ts';
import { progressBlock, progressLine } from '../cli/progress-text.ts';
import { canDraw } from '../cli/watching.ts';

const PLANNED = new Map([['pool', 1000]]);

function runStatus(change: Partial<RunStatus>): RunStatus {
  return {
    id: 'example/pool/0',
    experimentId: 'example',
    variant: 'pool',
    seed: 0,
    state: 'QUEUED',
    reason: null,
    roundsCompleted: 0,
    envSteps: 0,
    attempts: 0,
    roundCount: 10,
    progressEnvSteps: null,
    progressAt: null,
    startedAt: null,
    finishedAt: null,
    ...change,
  };
}

const runs = [
  runStatus({ state: 'SUCCEEDED', envSteps: 1000, roundsCompleted: 10 }),
  runStatus({ state: 'FAILED', envSteps: 100, seed: 1 }),
  runStatus({ state: 'RUNNING', envSteps: 200, progressEnvSteps: 250, roundsCompleted: 2, seed: 2 }),
  runStatus({ seed: 3 }),
];

describe('progress', () => {
  const samples = [
    { atMs: 0, envSteps: 350 },
    { atMs: 2000, envSteps: stepsDone(runs) },
  ];
  const progress = progressFrom(runs, PLANNED, samples);

  it('counts a run that is over as a whole, and the steps of the round in hand', () => {
    const left = 750 + 1000;
    expect(progress).toMatchObject({ doneCount: 2, runCount: 4, share: 1 - left / 4000 });
    const stepsPerSecond = (1350 - 350) / 2;
    expect(progress.stepsPerSecond).toBe(stepsPerSecond);
    expect(progress.remainingS).toBe(left / stepsPerSecond);
  });

  it('knows no time left while it knows no speed, and no speed below 0', () => {
    expect(progressFrom(runs, PLANNED, samples.slice(1)).remainingS).toBeNull();
    const back = progressFrom(runs, PLANNED, [...samples, { atMs: 3000, envSteps: 0 }]);
    expect(back).toMatchObject({ stepsPerSecond: 0, remainingS: null });
  });

  it('forgets samples that are older than the window', () => {
    const late = { atMs: 1e6, envSteps: 5 };
    expect(withSample(samples, late)).toEqual([late]);
  });

  it('is told in a line, and on a terminal with the rounds in hand, within its width', () => {
    expect(progressLine('example', progress)).toBe(
      'example  2 of 4 runs done, 1 running, 56 %, 500 env steps/s, about 3.5 s left',
    );
    const width = 20;
    const lines = progressBlock('example', progress, width).split('\n');
    expect(lines[2]).toBe('  pool/2  round 3 o…');
    expect(lines.every((line) => line.length <= width)).toBe(true);
  });

  it('is drawn with its speed and time left whole on a terminal of 80 columns, also with many runs and a long id', () => {
    const id = 'a-name-of-forty-characters-for-a-study-x-0123abcd';
    const many = { ...progress, doneCount: 1234, runCount: 12_345, stepsPerSecond: 123_456, remainingS: 123_456 };
    expect(progressBlock(id, many, 80)).toContain('123 456 env steps/s, about 1 d 10 h left');
  });

  it('is drawn only on a terminal that has a size', () => {
    expect(canDraw({ isTTY: true, columns: 80, rows: 24 })).toBe(true);
    for (const size of [{ columns: 0, rows: 0 }, { columns: 80, rows: 0 }, {}]) {
      expect(canDraw({ isTTY: true, ...size })).toBe(false);
    }
    expect(canDraw({ columns: 80, rows: 24 })).toBe(false);
  });
});
