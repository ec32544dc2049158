import { expect, it } from 'vitest';
import { standardizationOf } from './standardization.ts';

it('brings columns to mean 0 and deviation 1, and a constant one to 0', () => {
  const rows = [
    [1, -2, 5],
    [3, 4, 5],
    [8, 1, 5],
  ];
  const { mean, scale } = standardizationOf(rows);
  const standard = rows.map((row) => row.map((value, at) => (value - mean[at]!) / scale[at]!));
  const columns = [0, 1, 2].map((at) => standard.map((row) => row[at]!));
  const squares = columns.map((column) => column.reduce((sum, value) => sum + value * value, 0) / rows.length);
  for (const column of columns) expect(column.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 12);
  expect(squares[0]).toBeCloseTo(1, 12);
  expect(squares[1]).toBeCloseTo(1, 12);
  expect(columns[2]).toEqual([0, 0, 0]);
  expect(scale[2]).toBe(1);
});
