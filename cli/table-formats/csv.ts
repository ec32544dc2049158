import type { Cell } from '../../learning/results/column.ts';
import type { Table } from '../../learning/results/table.ts';
import { visibleText } from '../terminal/visible-text.ts';

/**
 * CSV after RFC 4180, with a header, each line with its end; what is not known is an empty field, NaN is `NaN`. Numbers have as many digits as it takes
 * to read the same double back. Control characters are shown by signs; all else is exact, also what a spreadsheet would take as a
 * formula.
 */
export function csvFormat({ columns, rows }: Table): string {
  const lines = [columns.map(({ key }) => key), ...rows.map((row) => row.map(({ value }) => value))];
  return lines.map((cells) => `${cells.map(csvField).join(',')}\r\n`).join('');
}

function csvField(value: Cell): string {
  const text = value === null ? '' : visibleText(String(value));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
