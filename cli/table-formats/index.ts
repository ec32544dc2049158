import { csvFormat } from './csv.ts';
import type { TableFormat } from './format.ts';
import { jsonFormat } from './json.ts';
import { latexFormat } from './latex.ts';
import { markdownFormat } from './markdown.ts';
import { terminalFormat } from './terminal.ts';

/** Every format of a table, by its name after `-o`. */
export const TABLE_FORMATS = {
  table: terminalFormat,
  json: jsonFormat,
  csv: csvFormat,
  markdown: markdownFormat,
  latex: latexFormat,
} as const satisfies Record<string, TableFormat>;
export type TableFormatName = keyof typeof TABLE_FORMATS;

/** Formats that people read: their numbers are rounded. Programs get every digit. */
export function isForPeople(format: TableFormatName): boolean {
  return format !== 'json' && format !== 'csv';
}
