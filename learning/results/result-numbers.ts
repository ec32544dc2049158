import { recordFrom } from './column.ts';
import { METRICS, RESULT_COLUMNS } from './result-columns.ts';
import type { ResultRow } from './result-row.ts';

/** What is measured of a run in its row of the result table, as trackers call it: `result/heldout_return` and so on. */
export function resultNumbers(row: ResultRow): [tag: string, value: number][] {
  return Object.entries(recordFrom(RESULT_COLUMNS, row)).flatMap(([key, value]): [string, number][] =>
    METRICS.includes(key) && typeof value === 'number' ? [[`result/${key}`, value]] : [],
  );
}
