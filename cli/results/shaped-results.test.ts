import { describe, expect, it } from 'vitest';
import { RESULT_COLUMNS } from '../../learning/results/result-columns.ts';
import { resultRow, scores } from '../../test/support/result-row.ts';
import { shapedResults, type ResultsRequest } from './shaped-results.ts';

const rows = ['frozen', 'pool'].flatMap((variant) =>
  [0, 1].map((seed) => resultRow({ variant, seed, last: scores({ heldoutReturn: -10 - seed, relativeGap: NaN }) })),
);
const failed = resultRow({ variant: 'pool', seed: 2, state: 'FAILED', last: null, best: null });
const set = {
  experiment: { id: 'example-1', name: 'example', version: 2, resultHash: 'abc' },
  rows: [...rows, failed],
  digest: 'def',
};
const PLAIN: ResultsRequest = {
  ...{ shape: 'overview', metrics: ['heldout_return'], by: ['seed', 'variant'], round: 'last', spread: 'std' },
  ...{ where: [], sort: [], columns: [], format: 'table' },
};
const shaped = (change: Partial<ResultsRequest>) => shapedResults(set, { ...PLAIN, ...change });
const parsed = (change: Partial<ResultsRequest>) =>
  JSON.parse(shaped({ ...change, format: 'json' })) as Record<string, unknown> & { rows: Record<string, unknown>[] };

describe('results that are asked for in part', () => {
  it('say of how many runs they are, and that there is none', () => {
    expect(shaped({ where: ['variant=pool*'] })).toContain('3 of 5 runs: those with variant=pool*.');
    expect(shaped({ where: ['variant=pool*'] })).not.toMatch(/^frozen/m);
    expect(shaped({ where: ['variant=none'] }).split('\n\n')[1]).toBe('No run has variant=none.');
    expect(shaped({})).not.toContain('those with');
  });

  it('as JSON are the document that all are, with fewer rows and columns', () => {
    const all = parsed({});
    expect(all.rows.map((row) => Object.keys(row))).toEqual(set.rows.map(() => RESULT_COLUMNS.map(({ key }) => key)));
    const part = parsed({ where: ['state=SUCCEEDED', 'variant=pool'], sort: ['-seed'], columns: ['heldout_return'] });
    expect(part['experiment']).toEqual(all['experiment']);
    expect(part.rows).toEqual([
      { variant: 'pool', seed: 1, heldout_return: -11 },
      { variant: 'pool', seed: 0, heldout_return: -10 },
    ]);
    expect(part['variants']).toMatchObject([{ variant: 'pool', n: 2, n_expected: 2 }]);
    // The same keys are of another checkpoint then.
    expect([all['round'], parsed({ round: 'best' })['round'], parsed({ round: 5 })['round']]).toEqual([
      'last',
      'best',
      5,
    ]);
  });

  it('in another shape say which, of which checkpoint and of which metrics', () => {
    const { experiment, ...about } = parsed({ shape: 'wide', round: 5 });
    expect(about).toEqual({
      ...{ shape: 'wide', round: 5, metrics: ['heldout_return'] },
      rows: [
        { seed: 0, frozen: -10, pool: -10 },
        { seed: 1, frozen: -11, pool: -11 },
        { seed: 2, frozen: null, pool: null },
      ],
    });
    expect(experiment).toMatchObject({ id: 'example-1', state: { SUCCEEDED: 4, FAILED: 1 } });
  });
});

describe('results for a paper', () => {
  it('are the seed × variant table, or the fold where one key is asked for, and say what they are', () => {
    const lines = shaped({ format: 'markdown', round: 'best' }).split('\n');
    expect(lines.slice(0, 3)).toEqual(['| seed | frozen | pool |', '|--|--:|--:|', '| 0 | -10 | -10 |']);
    expect(lines).toContain('| 2 | – | FAILED |');
    expect(lines.at(-1)).toContain('Checkpoint that was best on validation');
    const folded = shaped({ format: 'latex', by: ['variant'] });
    expect(folded).toContain('pool & 2/3 & $-10.50 \\pm 0.71$ &');
    expect(folded).toContain('% example-1  version 2 of example, 5 runs: 4 SUCCEEDED, 1 FAILED');
  });

  it('have an interval beside each mean where that is asked for, and none of too few runs', () => {
    const many = [0, 1, 2, 3, 4].map((seed) => resultRow({ seed, last: scores({ heldoutReturn: seed }) }));
    const request = {
      ...PLAIN,
      shape: 'fold',
      metrics: ['heldout_return', 'train_return'],
      spread: 'interval',
    } as const;
    const written = shapedResults({ ...set, rows: [...many, ...rows.slice(0, 2)] }, { ...request, format: 'markdown' });
    expect(written).toMatch(/^\| pool \| 5\/5 \| 2\.0 \[[0-9.]+, [0-9.]+\] \|/m);
    expect(written).toMatch(/^\| frozen \| 2\/2 \| -10\.50 \|/m);
  });
});
