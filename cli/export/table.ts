import type { Database, Row } from '../../infra/postgres/database.ts';
import type { ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import type { ExportColumn } from '../../infra/postgres/export-table.ts';

/** A table that becomes one file in each of the formats that hold tables. */
export interface ExportedTable {
  readonly name: string;
  /** What a row is (Markdown). */
  readonly about: string;
  readonly columns: readonly ExportColumn[];
  /** Its rows for one experiment, by column; one page after the other, so that they need not fit into memory. */
  pages(snapshot: Database, experiment: ExperimentRecord): AsyncIterable<readonly Row[]>;
}

/** One file of a table, which grows page by page. */
export interface TableFile {
  write(rows: readonly Row[]): Promise<void>;
  /** @returns how large it has become */
  finish(): Promise<{ bytes: number }>;
  /** Leaves nothing of it. */
  abandon(): Promise<void>;
}

/** How a table is written down. */
export type OpenTableFile = (file: string, table: Pick<ExportedTable, 'name' | 'columns'>) => Promise<TableFile>;
