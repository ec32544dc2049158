import type { ColumnKind } from '../../infra/postgres/export-table.ts';
import { cellText } from './cell-text.ts';
import { openTextFile } from './text-file.ts';
import type { OpenTableFile } from './table.ts';

/**
 * CSV after RFC 4180, in UTF-8, with a header. What is not known is an empty field, an empty text is `""`; NaN, Infinity and
 * -Infinity are these words. Nothing is shortened, and texts are as they are, also what a spreadsheet would take as a formula.
 */
export const openCsv: OpenTableFile = (file, { columns }) =>
  openTextFile(file, {
    head: line(columns.map(({ key }) => fieldText(key))),
    rowsText: (rows) => rows.map((row) => line(columns.map(({ key, kind }) => csvField(kind, row[key])))).join(''),
    foot: '',
  });

function line(fields: readonly string[]): string {
  return `${fields.join(',')}\r\n`;
}

function csvField(kind: ColumnKind, value: unknown): string {
  return value === null || value === undefined ? '' : fieldText(cellText(kind, value));
}

function fieldText(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
