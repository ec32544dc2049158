/** What stands in a cell: null is not measured, which is neither NaN nor infinite. */
export type Cell = string | number | boolean | null;

/**
 * How people read columns as one: `mean ± std`, `[low, high]`, `mean [low, high]`, `9/10`. Programs get each apart.
 */
export type Join = 'spread' | 'interval' | 'estimate' | 'share';

/** What a column is, whatever stands in it. */
export interface ColumnHead {
  /** Key in JSON and title in CSV. */
  readonly key: string;
  /** Title in a table; the key when left out. */
  readonly title?: string;
  readonly align?: 'left' | 'right';
  /** How people read its numbers: a measure is rounded, a count is whole. As they are when left out. */
  readonly kind?: 'measure' | 'count';
  /** The columns that people read together with this one, where they are shown. */
  readonly joins?: { readonly as: Join; readonly keys: readonly string[]; readonly title?: string };
  /** Whether it is there only to be read with another column, and goes where that one goes. */
  readonly isPart?: boolean;
}

/** A column of a listing. */
export interface Column<Row> extends ColumnHead {
  readonly value: (row: Row) => Cell;
  /** Text in a table, shortened for the eye; the value itself when left out, or null. */
  readonly text?: (row: Row) => string | null;
  /** How far the value may be off, which says how many of its digits mean something. */
  readonly spread?: (row: Row) => number | null;
}

/** A row as an object with one key for every column. */
export function recordFrom<Row>(columns: readonly Column<Row>[], row: Row): Record<string, Cell> {
  return Object.fromEntries(columns.map(({ key, value }) => [key, value(row)]));
}
