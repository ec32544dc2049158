import path from 'node:path';
import type { ExportSource, WrittenFile } from './export-format.ts';
import { EXPORTED_TABLES } from './exported-tables.ts';
import type { TableFormatName } from './format-names.ts';
import { TABLE_FORMATS } from './registry.ts';
import type { ExportedTable, TableFile } from './table.ts';

/** Writes every table in some formats; each is read once, whatever the number of formats. */
export async function writeTables(
  source: ExportSource,
  formats: readonly TableFormatName[],
  tables: readonly ExportedTable[] = EXPORTED_TABLES,
): Promise<WrittenFile[]> {
  const written: WrittenFile[] = [];
  for (const table of tables) written.push(...(await writeTable(source, formats, table)));
  return written;
}

async function writeTable(
  source: ExportSource,
  formats: readonly TableFormatName[],
  table: ExportedTable,
): Promise<WrittenFile[]> {
  const open: { name: string; file: TableFile }[] = [];
  try {
    for (const format of formats) {
      const name = `${table.name}.${format}`;
      open.push({ name, file: await TABLE_FORMATS[format](path.join(source.folder, name), table) });
    }
    const rows = await copyRows(
      source,
      table,
      open.map(({ file }) => file),
    );
    const written: WrittenFile[] = [];
    for (const { name, file } of open) written.push({ file: name, rows, ...(await file.finish()) });
    return written;
  } catch (error) {
    await Promise.all(open.map(({ file }) => file.abandon()));
    throw error;
  }
}

/** @returns how many rows there were */
async function copyRows(
  { snapshot, experiments, onProgress }: ExportSource,
  table: ExportedTable,
  files: readonly TableFile[],
): Promise<number> {
  let count = 0;
  for (const experiment of experiments) {
    for await (const rows of table.pages(snapshot, experiment)) {
      for (const file of files) await file.write(rows);
      count += rows.length;
      onProgress(`${table.name}: ${count.toLocaleString('en')} rows`);
    }
  }
  return count;
}
