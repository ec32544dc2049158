import Table from 'cli-table3';
import { recordFrom, type Cell, type Column } from '../learning/results/column.ts';
import { jsonText } from './json-text.ts';
import { colorsFor } from './terminal.ts';
import { visibleCell, visibleText } from './visible-text.ts';

export type ListingFormat = 'table' | 'json' | 'csv';

/** Rows in one of the three formats: a table to read, JSON or CSV with full precision for programs. */
export function listingText<Row>(columns: readonly Column<Row>[], rows: readonly Row[], format: ListingFormat): string {
  if (format === 'json')
    return jsonText(
      rows.map((row) => recordFrom(columns, row)),
      2,
    );
  if (format === 'csv') return csvText(columns, rows);
  return tableText(columns, rows);
}

/**
 * CSV after RFC 4180, with a header; what is not known is an empty field, NaN is `NaN`. Control characters are shown by signs;
 * all else is exact, also what a spreadsheet would take as a formula.
 */
export function csvText<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = [columns.map(({ key }) => key), ...rows.map((row) => columns.map(({ value }) => value(row)))];
  return lines.map((cells) => cells.map(csvField).join(',')).join('\r\n');
}

function csvField(value: Cell): string {
  const text = value === null ? '' : visibleText(String(value));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const NO_LINES = Object.fromEntries(
  [
    ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'],
    ...['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'],
  ].map((part) => [part, '']),
);

function tableText<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const { dim, isColorSupported: hasColors } = colorsFor(process.stdout);
  const table = new Table({
    head: columns.map(({ title, key }) => dim(title ?? key)),
    colAligns: columns.map(({ align }) => align ?? 'left'),
    chars: { ...NO_LINES, middle: '  ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  const textOf = (column: Column<Row>, row: Row) => column.text?.(row) ?? String(column.value(row) ?? '–');
  for (const row of rows) table.push(columns.map((column) => visibleCell(textOf(column, row), { hasColors })));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
