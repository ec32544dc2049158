import type { Table } from '../../learning/results/table.ts';
import { jsonText } from './json-text.ts';

/** The rows of a table as objects: null is not measured, numbers that JSON does not have are strings. */
export function recordsOf({ columns, rows }: Table): Record<string, unknown>[] {
  return rows.map((row) => Object.fromEntries(row.map(({ value }, place) => [columns[place]!.key, value])));
}

/** A JSON array of the rows. */
export function jsonFormat(table: Table): string {
  return jsonText(recordsOf(table), 2);
}
