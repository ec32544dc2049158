import type { Column } from '../../learning/results/column.ts';
import { tableFrom } from '../../learning/results/table.ts';
import { TABLE_FORMATS, type TableFormatName } from './index.ts';

/** Formats of every list; some verbs have further ones, see `TABLE_FORMATS`. */
export type ListingFormat = Extract<TableFormatName, 'table' | 'json' | 'csv'>;

/** Rows in a format: a table to read, JSON or CSV with full precision for programs. */
export function listingText<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  format: TableFormatName,
): string {
  return TABLE_FORMATS[format](tableFrom(columns, rows), []);
}

/** The same as CSV. */
export function csvText<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  return listingText(columns, rows, 'csv');
}
