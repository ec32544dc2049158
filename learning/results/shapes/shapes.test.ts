import { describe, expect, it } from 'vitest';
import { resultRow, scores } from '../../../test/support/result-row.ts';
import { RESULT_COLUMNS } from '../result-columns.ts';
import { confidenceInterval, summarize } from '../result-summary.ts';
import type { Table } from '../table.ts';
import { SHAPES, type ShapeName } from './index.ts';
import type { ShapeRequest } from './shape.ts';

const SEEDS = [0, 1, 2, 3, 4];
const rows = ['frozen', 'pool'].flatMap((variant) =>
  SEEDS.map((seed) =>
    resultRow({
      variant,
      seed,
      last: scores({ heldoutReturn: variant === 'pool' ? seed - 20 : seed / 3, heldoutStd: NaN }),
    }),
  ),
);
const running = resultRow({ variant: 'pool', seed: 9, state: 'RUNNING', last: null, best: null });
const unmeasured = resultRow({ variant: 'specialist', seed: 0, last: scores({ heldoutReturn: null }) });
const all = [...rows, running, unmeasured];

const request: ShapeRequest = {
  rows: all,
  metrics: ['heldout_return'],
  by: ['seed', 'variant'],
  isForPeople: false,
  spread: 'std',
};
const shaped = (name: ShapeName, change: Partial<ShapeRequest> = {}) => SHAPES[name].build({ ...request, ...change });
const records = ({ columns, rows: lines }: Table) =>
  lines.map((line) => Object.fromEntries(line.map(({ value }, place) => [columns[place]!.key, value])));

describe('a row a run', () => {
  it('has every column there is, of which people see a few', () => {
    const { table, shown } = shaped('runs', { isForPeople: true });
    expect(table.columns.map(({ key }) => key)).toEqual(RESULT_COLUMNS.map(({ key }) => key));
    expect(table.rows).toHaveLength(all.length);
    expect(shown).toEqual(['variant', 'seed', 'state', 'heldout_return', 'verdict']);
    expect(shaped('runs').shown).toBeUndefined();
  });
});

describe('the long form', () => {
  it('has a row for every run and metric, whatever was measured', () => {
    const { table } = shaped('long', { metrics: ['heldout_return', 'heldout_std'] });
    const lines = records(table);
    expect(lines).toHaveLength(2 * all.length);
    expect(lines.filter(({ variant, seed }) => variant === 'pool' && seed === 1)).toEqual([
      { variant: 'pool', seed: 1, state: 'SUCCEEDED', metric: 'heldout_return', value: -19 },
      { variant: 'pool', seed: 1, state: 'SUCCEEDED', metric: 'heldout_std', value: NaN },
    ]);
    expect(lines.find(({ seed }) => seed === 9)).toMatchObject({ state: 'RUNNING', value: null });
  });
});

describe('the wide form', () => {
  it('has a row a seed and a column a variant, with the state where a run has no value', () => {
    const { table } = shaped('wide');
    expect(table.columns.map(({ key }) => key)).toEqual(['seed', 'frozen', 'pool', 'specialist']);
    expect(records(table)[1]).toEqual({ seed: 1, frozen: 1 / 3, pool: -19, specialist: null });
    expect(table.rows.at(-1)![2]).toEqual({ value: null, text: 'RUNNING' });
    // Of a run that is measured the metric may be missing: that is no state.
    expect(table.rows[0]![3]).toEqual({ value: null });
  });

  it('has it the other way round where that is asked, and no column twice', () => {
    const { table } = shaped('wide', { by: ['variant', 'seed'] });
    expect(table.columns.map(({ key }) => key)).toEqual(['variant', ...[...SEEDS, 9].map(String)]);
    const twins = shaped('wide', { rows: [resultRow({ variant: 'seed' })] }).table;
    expect(twins.columns.map(({ key }) => key)).toEqual(['seed', 'seed:seed']);
  });
});

describe('a fold over seeds', () => {
  it('says of every variant and metric what its summary does', () => {
    const metrics = ['heldout_return', 'heldout_std'];
    const lines = records(shaped('fold', { metrics }).table);
    expect(lines.map(({ variant, metric }) => [variant, metric])).toEqual(
      ['frozen', 'pool', 'specialist'].flatMap((variant) => metrics.map((metric) => [variant, metric])),
    );
    const pool = all.filter(({ variant }) => variant === 'pool');
    const { n, nExpected, mean, iqm, std } = summarize(pool, 'heldout_return');
    const [low, high] = confidenceInterval(pool, 'heldout_return')!;
    expect(lines[2]).toEqual({
      ...{ variant: 'pool', metric: 'heldout_return', n, n_expected: nExpected, mean, std, iqm },
      ...{ median: -18, ci95_low: low, ci95_high: high },
    });
    expect(lines[3]).toMatchObject({ mean: NaN, iqm: NaN, median: NaN, ci95_low: null });
    expect(lines[4]).toMatchObject({ n: 0, n_expected: 1, mean: null, iqm: null, median: null, std: null });
  });

  it('has several metrics side by side for people, each with what it may be off by', () => {
    const metrics = ['heldout_return', 'train_return'];
    const keys = (change: Partial<ShapeRequest>) =>
      shaped('fold', { metrics, isForPeople: true, ...change }).table.columns.map(({ key }) => key);
    expect(keys({})).toEqual([
      ...['variant', 'n', 'heldout_return', 'heldout_return_std', 'train_return', 'train_return_std'],
    ]);
    expect(keys({ spread: 'interval' }).slice(2, 5)).toEqual([
      ...['heldout_return', 'heldout_return_ci95_low', 'heldout_return_ci95_high'],
    ]);
    const { table } = shaped('fold', { metrics, isForPeople: true });
    expect(records(table).map(({ n }) => n)).toEqual(['5/5', '5/6', '0–1/1']);
  });

  it('is over the variants of each seed where only seeds are asked for', () => {
    const lines = records(shaped('fold', { by: ['seed'] }).table);
    expect(lines.map(({ seed, n }) => [seed, n])).toEqual([
      [0, 2],
      [1, 2],
      [2, 2],
      [3, 2],
      [4, 2],
      [9, 0],
    ]);
  });
});
