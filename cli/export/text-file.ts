import type { Row } from '../../infra/postgres/database.ts';
import { openWhole } from '../../infra/artifacts/write-whole.ts';
import type { TableFile } from './table.ts';

/** A file of a table that is text: something before the rows, the rows, something behind them. */
export async function openTextFile(
  file: string,
  { head, rowsText, foot }: { head: string; rowsText: (rows: readonly Row[]) => string; foot: string },
): Promise<TableFile> {
  const whole = await openWhole(file);
  await whole.write(Buffer.from(head));
  return {
    write: (rows) => whole.write(Buffer.from(rowsText(rows))),
    async finish() {
      await whole.write(Buffer.from(foot));
      await whole.finish();
      return { bytes: whole.bytes };
    },
    abandon: () => whole.abandon(),
  };
}
