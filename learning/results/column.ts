/** What stands in a cell: null is not measured, which is neither NaN nor infinite. */
export type Cell = string | number | boolean | null;

/** A column of a listing. */
export interface Column<Row> {
  /** Key in JSON and title in CSV. */
  readonly key: string;
  /** Title in a table; the key when left out. */
  readonly title?: string;
  readonly align?: 'left' | 'right';
  readonly value: (row: Row) => Cell;
  /** Text in a table, shortened for the eye; the value itself when left out. */
  readonly text?: (row: Row) => string;
}

/** A row as an object with one key for every column. */
export function recordFrom<Row>(columns: readonly Column<Row>[], row: Row): Record<string, Cell> {
  return Object.fromEntries(columns.map(({ key, value }) => [key, value(row)]));
}
