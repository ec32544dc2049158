import { describe, expect, it } from 'vitest';
import type { RunStatus } from '../../infra/postgres/run-rows.ts';
import { rowsBroken } from '../terminal/block-drawing.ts';
import type { ExperimentView } from './experiment-view.ts';
import { progressBlock, progressLine } from './progress-text.ts';
import { canDraw } from './watching.ts';

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
  runStatus({ state: 'SUCCEEDED', roundsCompleted: 10 }),
  runStatus({ state: 'FAILED', seed: 1 }),
  runStatus({ id: 'example/pool/2', state: 'RUNNING', roundsCompleted: 2, seed: 2 }),
  runStatus({ seed: 3 }),
];
const view: ExperimentView = {
  id: 'example',
  runs,
  progress: { doneCount: 2, runCount: 4, running: [runs[2]!], share: 0.567, stepsPerSecond: 500, remainingS: 3.5 },
  extremes: {
    best: { variant: 'pool', seed: 0, round: 10, heldoutReturn: -31.2 },
    worst: { variant: 'pool', seed: 2, round: 2, heldoutReturn: -58 },
  },
  metrics: new Map([['example/pool/2', { value_loss: 0.5, entropy: 1.234, clip_fraction: 0.1 }]]),
};

describe('progress as text', () => {
  it('is a line where nothing can be drawn', () => {
    expect(progressLine(view)).toBe('example  2 of 4 runs done, 1 running, 56 %, 500 env steps/s, about 3.5 s left');
  });

  it('is a block with counts, returns and the runs in hand on a terminal', () => {
    expect(progressBlock(view, { columns: 100, rows: 24 }).split('\n')).toEqual([
      'example  2 of 4 runs done, 1 running, 56 %',
      '  500 env steps/s, about 3.5 s left',
      '  1 QUEUED, 1 RUNNING, 1 SUCCEEDED, 1 FAILED',
      '  test return so far: best -31.20 (pool/0, round 10), worst -58.00 (pool/2, round 2)',
      '  pool/2  round 3 of 10  entropy 1.23, value_loss 0.5',
    ]);
  });

  it('says once what only one run has got, and nothing before one has been evaluated', () => {
    const { best } = view.extremes!;
    const screen = { columns: 100, rows: 24 };
    expect(progressBlock({ ...view, extremes: { best, worst: best } }, screen)).toContain('so far: -31.20 (pool/0');
    expect(progressBlock({ ...view, extremes: null }, screen)).not.toContain('test return');
  });

  it('stays within the terminal, whatever its size', () => {
    const running = Array.from({ length: 30 }, (_, seed) => runStatus({ state: 'RUNNING', seed }));
    const many = { ...view, progress: { ...view.progress, running } };
    for (const [columns, rows] of [
      [20, 24],
      [40, 8],
      [200, 12],
    ] as const) {
      const lines = progressBlock(many, { columns, rows }).split('\n');
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
      expect(lines.length).toBeLessThan(rows);
      expect(lines.at(-1)).toContain('more');
    }
  });

  it('has its speed and time left whole on a terminal of 80 columns, also with many runs and a long id', () => {
    const progress = {
      ...view.progress,
      doneCount: 1234,
      runCount: 12_345,
      stepsPerSecond: 123_456,
      remainingS: 123_456,
    };
    const long = { ...view, id: 'a-name-of-forty-characters-for-a-study-x-0123abcd', progress };
    expect(progressBlock(long, { columns: 80, rows: 24 })).toContain('123 456 env steps/s, about 1 d 10 h left');
  });

  it('is drawn only on a terminal that has a size and can go up', () => {
    expect(canDraw({ isTTY: true, columns: 80, rows: 24 }, { TERM: 'xterm' })).toBe(true);
    expect(canDraw({ isTTY: true, columns: 80, rows: 24 }, { TERM: 'dumb' })).toBe(false);
    for (const size of [{ columns: 0, rows: 0 }, { columns: 80, rows: 0 }, {}]) {
      expect(canDraw({ isTTY: true, ...size }, {})).toBe(false);
    }
    expect(canDraw({ columns: 80, rows: 24 }, {})).toBe(false);
  });

  it('knows the rows that a terminal makes of lines that became too long', () => {
    expect(rowsBroken('12345\n\n1234567890', 10)).toBe(0);
    expect(rowsBroken('12345\n\n1234567890', 4)).toBe(1 + 2);
  });
});
