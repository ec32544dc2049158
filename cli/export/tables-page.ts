import type { ColumnKind } from '../../infra/postgres/export-table.ts';
import { markdownTable } from '../table-formats/markdown-table.ts';
import type { ExportedTable } from './table.ts';

const KINDS: Readonly<Record<ColumnKind, string>> = {
  text: 'text',
  int32: 'whole number',
  int64: 'whole number',
  double: 'number',
  boolean: 'true or false',
  timestamp: 'moment, UTC',
  json: 'JSON',
};

/** The page on the tables of an export and their columns, as Markdown. */
export function exportTablesPage(tables: readonly ExportedTable[]): string {
  const parts = [
    '# Tables of an export',
    'Generated from the tables themselves by `npm run generate`; do not edit it by hand. [Exporting](exporting.md) says how they ' +
      'are written in each format. A run that was SKIPPED shows the rows of the equal run that was finished before. What is not ' +
      'measured is empty, which is neither NaN nor infinite.',
    ...tables.flatMap(({ name, about, columns }) => [
      `## ${name}`,
      about,
      markdownTable(
        ['column', 'kind', 'what'],
        columns.map(({ key, kind, about: what }) => [`\`${key}\``, KINDS[kind], what]),
      ),
    ]),
  ];
  return `${parts.join('\n\n')}\n`;
}
