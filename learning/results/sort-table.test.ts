import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cell } from './column.ts';
import { sortKeyFrom, sortTable } from './sort-table.ts';
import { tableFrom } from './table.ts';

interface Row {
  readonly place: number;
  readonly value: Cell;
}

const tableOf = (values: readonly Cell[]) =>
  tableFrom<Row>(
    [
      { key: 'place', value: ({ place }) => place },
      { key: 'value', value: ({ value }) => value },
    ],
    values.map((value, place) => ({ place, value })),
  );
const sorted = (values: readonly Cell[], ...keys: string[]) =>
  sortTable(tableOf(values), keys.map(sortKeyFrom)).rows.map((row) => row[1]!.value);

describe('the order of rows', () => {
  const values = [null, 3, NaN, -Infinity, 10, null, Infinity, NaN, -2];

  it('has NaN and then what is not measured at its end, in both directions', () => {
    expect(sorted(values, 'value')).toEqual([-Infinity, -2, 3, 10, Infinity, NaN, NaN, null, null]);
    expect(sorted(values, '-value')).toEqual([Infinity, 10, 3, -2, -Infinity, NaN, NaN, null, null]);
  });

  it('leaves equal rows as they were, and asks the next key', () => {
    const table = sortTable(tableOf(['b', 'a', 'b', 'a']), [sortKeyFrom('value')]);
    expect(table.rows.map((row) => row[0]!.value)).toEqual([1, 3, 0, 2]);
    const both = sortTable(tableOf(['b', 'a', 'b', 'a']), ['value', '-place'].map(sortKeyFrom));
    expect(both.rows.map((row) => row[0]!.value)).toEqual([3, 1, 2, 0]);
  });

  it('is the same rows, whatever order they came in', () => {
    const cell = fc.oneof(fc.double(), fc.constant(null));
    fc.assert(
      fc.property(fc.array(cell), (cells) => {
        const once = sorted(cells, '-value');
        expect(once).toHaveLength(cells.length);
        expect(sorted([...cells].reverse(), '-value').map(String)).toEqual(once.map(String));
      }),
    );
  });
});
