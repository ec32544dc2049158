import type { Database } from '../../infra/postgres/database.ts';
import type { ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import { pageExportRows } from '../../infra/postgres/export-rows.ts';
import { EXPORT_TABLES } from '../../infra/postgres/export-tables.ts';
import { RUNS_TABLE } from './runs-table.ts';
import type { ExportedTable } from './table.ts';

/** All tables of an export, the results first. */
export const EXPORTED_TABLES: readonly ExportedTable[] = [
  RUNS_TABLE,
  ...EXPORT_TABLES.map((table) => ({
    name: table.name,
    about: table.about,
    columns: table.columns.map(({ key, kind, about }) => ({ key, kind, about })),
    pages: (snapshot: Database, { id }: ExperimentRecord) => pageExportRows(snapshot, table, id),
  })),
];
