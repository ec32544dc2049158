import type { Cell } from './column.ts';
import type { Table } from './table.ts';

/** What rows are in the order of. */
export interface SortKey {
  readonly column: string;
  readonly isDescending: boolean;
}

/** `reason` ascends, `-reason` descends. */
export function sortKeyFrom(text: string): SortKey {
  return text.startsWith('-')
    ? { column: text.slice(1), isDescending: true }
    : { column: text.replace(/^\+/, ''), isDescending: false };
}

/**
 * The rows of a table in the order of its columns, the first key first; rows that are equal in all of them stay in their
 * order. NaN comes after every other value and what is not measured after that, in both directions: what is best stands at
 * the head either way.
 */
export function sortTable(table: Table, keys: readonly SortKey[]): Table {
  const places = keys.map(({ column, isDescending }) => ({
    place: table.columns.findIndex(({ key }) => key === column),
    isDescending,
  }));
  const rows = [...table.rows].sort((a, b) => {
    for (const { place, isDescending } of places) {
      const order = compareCells(a[place]!.value, b[place]!.value, isDescending);
      if (order !== 0) return order;
    }
    return 0;
  });
  return { ...table, rows };
}

/** Below zero where the first comes first. Texts go by their characters' numbers, whatever the language of the machine. */
export function compareCells(a: Cell, b: Cell, isDescending: boolean): number {
  const ranks = rankOf(a) - rankOf(b);
  if (ranks !== 0 || a === null || b === null || a === b || rankOf(a) > 0) return ranks;
  const order = a < b ? -1 : 1;
  return isDescending ? -order : order;
}

function rankOf(cell: Cell): number {
  return cell === null ? 2 : Number.isNaN(cell) ? 1 : 0;
}
