import { describe, expect, it } from 'vitest';
import type { Column } from '../../learning/results/column.ts';
import { arrangedListing, rowsWhere } from './arrange-rows.ts';

interface Row {
  readonly variant: string;
  readonly seed: number;
  readonly gap: number | null;
}

const COLUMNS: readonly Column<Row>[] = [
  { key: 'variant', value: ({ variant }) => variant },
  { key: 'seed', value: ({ seed }) => seed },
  { key: 'relative_gap', value: ({ gap }) => gap },
];
const ROWS: readonly Row[] = [
  { variant: 'frozen', seed: 0, gap: 0.5 },
  { variant: 'pool', seed: 0, gap: null },
  { variant: 'pool', seed: 1, gap: 0.1 },
  { variant: 'pool_wide', seed: 0, gap: 0.3 },
];
const where = (...conditions: string[]) => rowsWhere(COLUMNS, ROWS, conditions);
const listed = (change: { sort?: string[]; columns?: string[]; where?: string[] }) =>
  arrangedListing(COLUMNS, ROWS, {
    ...{ where: [], sort: [], columns: [], format: 'csv', pinned: ['variant', 'seed'] },
    ...change,
  })
    .trimEnd()
    .split('\r\n');

describe('rows as they were asked for', () => {
  it('are those of which every condition holds', () => {
    expect(where('variant=pool*', 'relative_gap<0.2')).toEqual([ROWS[2]]);
    expect(where('relative_gap=null')).toEqual([ROWS[1]]);
    expect(where()).toEqual(ROWS);
  });

  it('are in the order and have the columns asked for', () => {
    expect(listed({ sort: ['-relative_gap'], columns: ['relative_gap'], where: ['seed=0'] })).toEqual([
      'variant,seed,relative_gap',
      'frozen,0,0.5',
      'pool_wide,0,0.3',
      'pool,0,',
    ]);
    expect(listed({ columns: ['-relative_gap'] })[0]).toBe('variant,seed');
    // What is not shown can be sorted by.
    expect(listed({ sort: ['relative_gap'], columns: ['-relative_gap'] })[1]).toBe('pool,1');
  });
});

describe('what is asked for and is not there', () => {
  it('is named, with the nearest that is', () => {
    expect(() => where('relativ_gap>1')).toThrow(/no column "relativ_gap".* Did you mean relative_gap\?/);
    expect(() => where('relative_gap=>1')).toThrow(/no operator "=>".* Did you mean/);
    expect(() => where('relative_gap')).toThrow(/Operators: = != < <= > >=/);
    expect(() => where('relative_gap>much')).toThrow(/"much" is none/);
    expect(() => listed({ sort: ['-sed'] })).toThrow(/Did you mean seed\?/);
    expect(() => listed({ columns: ['gap'] })).toThrow(/Known: variant, seed, relative_gap/);
  });

  it('is refused where a row would no longer say what it is', () => {
    expect(() => listed({ columns: ['-seed'] })).toThrow(/seed cannot be hidden/);
  });
});
