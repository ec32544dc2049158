import type { ExportTable } from './export-table.ts';
import type { Queryable, Row } from './database.ts';

/** Rows that are fetched at once, where a row is short. */
const PAGE_ROWS = 20_000;

/**
 * The rows of an exported table that belong to one experiment, in order, page by page through a cursor: neither this program
 * nor the driver ever holds more than a page.
 *
 * @param snapshot the client of a transaction: cursors live inside one
 * @see atOneMoment
 */
export async function* pageExportRows(
  snapshot: Queryable,
  { name, columns, from, order, pageRows = PAGE_ROWS }: ExportTable,
  experimentId: string,
): AsyncIterable<readonly Row[]> {
  const cursor = `exported_${name}`;
  const selected = columns.map(({ key, sql }) => `${sql} as "${key}"`).join(', ');
  const ordered = order === null ? '' : `order by ${order}`;
  await snapshot.query(`declare ${cursor} no scroll cursor for select ${selected} from ${from} ${ordered}`, [
    experimentId,
  ]);
  for (;;) {
    const { rows } = await snapshot.query(`fetch ${pageRows} from ${cursor}`);
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) break;
  }
  await snapshot.query(`close ${cursor}`);
}
