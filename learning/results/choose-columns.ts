import type { ColumnHead } from './column.ts';
import type { Table } from './table.ts';

/** Which columns are shown: those of `shown` in that order, or all where it is empty, without those of `hidden`. */
export interface ColumnChoice {
  readonly shown: readonly string[];
  readonly hidden: readonly string[];
}

/** `heldout_return` shows a column and no others, `-reason` hides one. */
export function columnChoiceFrom(names: readonly string[]): ColumnChoice {
  return {
    shown: names.filter((name) => !name.startsWith('-')),
    hidden: names.filter((name) => name.startsWith('-')).map((name) => name.slice(1)),
  };
}

/** A table with the columns of a choice. @param pinned columns that say what a row is: they stand first, whatever is chosen */
export function chooseColumns(table: Table, { shown, hidden }: ColumnChoice, pinned: readonly string[]): Table {
  const { columns } = table;
  const named = columns.filter(({ isPart }) => isPart !== true).map(({ key }) => key);
  const wanted = shown.length === 0 ? named : [...pinned.filter((key) => named.includes(key)), ...shown];
  const kept = [...new Set(wanted)].filter((key) => !hidden.includes(key));
  const places = kept.flatMap((key) => placesOf(columns, key));
  return {
    columns: places.map((place) => columns[place]!),
    rows: table.rows.map((row) => places.map((place) => row[place]!)),
  };
}

/** A column and what is only there to be read with it. */
function placesOf(columns: readonly ColumnHead[], key: string): number[] {
  const place = columns.findIndex((column) => column.key === key);
  const parts = columns[place]!.joins?.keys ?? [];
  const withParts = columns.flatMap((column, index) =>
    column.isPart === true && parts.includes(column.key) ? [index] : [],
  );
  return [place, ...withParts];
}
