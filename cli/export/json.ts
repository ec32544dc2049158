import type { ColumnKind } from '../../infra/postgres/export-table.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { cellText } from './cell-text.ts';
import { openTextFile } from './text-file.ts';
import type { OpenTableFile } from './table.ts';

/**
 * A JSON array with an object for each row, one a line. What is not known is null; NaN, Infinity and -Infinity, which JSON
 * does not have, are strings.
 */
export const openJson: OpenTableFile = (file, { columns }) => {
  const keys = columns.map(({ key }) => `${JSON.stringify(key)}:`);
  let isFirst = true;
  return openTextFile(file, {
    head: '[',
    rowsText: (rows) =>
      rows
        .map((row) => {
          const members = columns.map(({ key, kind }, index) => `${keys[index]}${jsonCell(kind, row[key])}`);
          const separator = isFirst ? '\n' : ',\n';
          isFirst = false;
          return `${separator}{${members.join(',')}}`;
        })
        .join(''),
    foot: '\n]\n',
  });
};

function jsonCell(kind: ColumnKind, value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (kind === 'text' || kind === 'timestamp') return jsonText(cellText(kind, value));
  return typeof value === 'number' && !Number.isFinite(value) ? `"${value}"` : cellText(kind, value);
}
