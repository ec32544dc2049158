import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstDifference, type ComparedRow, type Value } from './first-difference.ts';

const row = (key: string, values: Record<string, Value>, table = 'metrics'): ComparedRow => ({ table, key, values });

describe('rows of a round and of the same round played again', () => {
  it('are equal whatever their numbers are, NaN included, and whatever the order', () => {
    const values = fc.dictionary(fc.string(), fc.oneof(fc.double(), fc.string(), fc.array(fc.array(fc.double()))));
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(fc.string(), values), { selector: ([key]) => key }), (entries) => {
        const rows = entries.map(([key, cells]) => row(key, cells));
        const { compared, difference } = firstDifference(rows, [...rows].reverse());
        expect(difference).toBeNull();
        expect(compared).toBe(rows.reduce((sum, { values: cells }) => sum + Object.keys(cells).length, 0));
      }),
    );
  });

  it('differ in the last bit of a number, and the first such cell is named with both values', () => {
    const stored = [row('a', { value: NaN }), row('b', { value: 1 }), row('c', { value: 2 })];
    const replayed = [row('a', { value: NaN }), row('b', { value: 1 + Number.EPSILON }), row('c', { value: 3 })];
    expect(firstDifference(stored, replayed)).toEqual({
      compared: 1,
      difference: { table: 'metrics', key: 'b', column: 'value', stored: 1, replayed: 1 + Number.EPSILON },
    });
  });

  it('differ where NaN stands for a number, −0 for 0, and nothing for something', () => {
    for (const [one, other] of [
      [NaN, 0],
      [-0, 0],
      [null, 0],
    ] as const) {
      expect(firstDifference([row('a', { value: one })], [row('a', { value: other })]).difference).not.toBeNull();
    }
  });

  it('name the entry of a list, also where one list is longer', () => {
    const stored = [row('a', { visitation: [[1, 2], [3]] })];
    const columnOf = (visitation: Value) => firstDifference(stored, [row('a', { visitation })]).difference?.column;
    expect(columnOf([[1, 2], [4]])).toBe('visitation[1][0]');
    expect(columnOf([[1, 2, 0], [3]])).toBe('visitation[0][2]');
    expect(columnOf([[1, 2]])).toBe('visitation[1]');
  });

  it('name a row that only one of them has, of equal keys in two tables too', () => {
    const one = row('a', { value: 1 });
    expect(firstDifference([one], []).difference).toMatchObject({ key: 'a', stored: 'a row', replayed: undefined });
    const other = row('a', { value: 1 }, 'rounds');
    expect(firstDifference([one], [one, other]).difference).toMatchObject({ table: 'rounds', stored: undefined });
  });
});
