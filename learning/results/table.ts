import type { Cell, Column, ColumnHead } from './column.ts';

/** One cell of a table: its value, and how people read it where that is not the value itself. */
export interface TableCell {
  readonly value: Cell;
  readonly text?: string;
  readonly spread?: number | null;
}

/** A table before it is written in any format: `rows[i][j]` stands under `columns[j]`. */
export interface Table {
  readonly columns: readonly ColumnHead[];
  readonly rows: readonly (readonly TableCell[])[];
}

/** The table that columns make of rows. */
export function tableFrom<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Table {
  return { columns, rows: rows.map((row) => columns.map((column) => cellFrom(column, row))) };
}

function cellFrom<Row>({ value, text, spread }: Column<Row>, row: Row): TableCell {
  const shown = text?.(row) ?? null;
  return {
    value: value(row),
    ...(shown !== null && { text: shown }),
    ...(spread !== undefined && { spread: spread(row) }),
  };
}
