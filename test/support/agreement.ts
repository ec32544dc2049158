import { afterAll } from 'vitest';

/** Largest difference of two arrays, as a share of the entry where that is larger than 1. */
export function largestDifference(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (actual.length !== expected.length) return NaN;
  let largest = 0;
  for (let i = 0; i < expected.length; i += 1) {
    const [left, right] = [actual[i]!, expected[i]!];
    const difference = Object.is(left, right) ? 0 : Math.abs(left - right) / Math.max(1, Math.abs(right));
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}

/**
 * Rows of the tables of docs/guides/executors.md, printed when all tests of the file are over, where THAW_AGREEMENT is set.
 * @returns takes up a difference in a cell of a row
 */
export function agreementTable(columns: readonly string[]): (row: string, column: string, difference: number) => void {
  const rows = new Map<string, Map<string, number>>();
  afterAll(() => {
    if (process.env['THAW_AGREEMENT'] === undefined) return;
    const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
    const lines = [...rows].map(([row, cells]) =>
      line([row, ...columns.map((column) => textOf(cells.get(column) ?? NaN))]),
    );
    console.log([line(['', ...columns]), line(['--', ...columns.map(() => '--')]), ...lines].join('\n'));
  });
  return (row, column, difference) => {
    const cells = rows.get(row) ?? new Map<string, number>();
    rows.set(row, cells.set(column, Math.max(cells.get(column) ?? 0, difference)));
  };
}

function textOf(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toExponential(0);
}
