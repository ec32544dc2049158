import type { Cell, ColumnHead, Join } from '../../learning/results/column.ts';
import type { Table, TableCell } from '../../learning/results/table.ts';
import { decimalsFromSpread, decimalsFromValues } from './decimals.ts';
import type { Notation } from './notation.ts';

/** A table as people read it. */
export interface ReadableTable {
  readonly heads: readonly { readonly title: string; readonly align: 'left' | 'right' }[];
  readonly rows: readonly (readonly string[])[];
}

/** A column with what is read together with it. */
interface Group {
  readonly head: ColumnHead;
  readonly place: number;
  readonly join: { readonly as: Join; readonly places: readonly number[]; readonly title: string } | null;
  /** Of numbers that do not say themselves how far they are off. */
  readonly decimals: number;
}

/** Writes a table in a notation: columns that belong together as one, and numbers with the digits that mean something. */
export function readableTable(table: Table, notation: Notation): ReadableTable {
  const groups = groupsOf(table);
  return {
    heads: groups.map(({ head, join }) => ({
      title: notation.text(join?.title ?? head.title ?? head.key),
      align: head.align ?? 'left',
    })),
    rows: table.rows.map((row) => groups.map((group) => groupText(row, group, notation))),
  };
}

function groupsOf({ columns, rows }: Table): Group[] {
  const joins = columns.map(({ joins: wanted }) => {
    const places = (wanted?.keys ?? []).map((key) => columns.findIndex((column) => column.key === key));
    return places.length === 0 || places.includes(-1) ? [] : places;
  });
  const taken = new Set(joins.flat());
  return columns.flatMap((head, place): Group[] => {
    if (taken.has(place)) return [];
    const places = joins[place]!;
    const title = head.joins?.title ?? head.title ?? head.key;
    return [
      {
        head,
        place,
        join: places.length === 0 ? null : { as: head.joins!.as, places, title },
        decimals: decimalsFromValues(numbersOf(rows.map((row) => row[place]!.value))),
      },
    ];
  });
}

function numbersOf(cells: readonly Cell[]): number[] {
  return cells.filter((cell) => typeof cell === 'number');
}

function groupText(row: readonly TableCell[], group: Group, notation: Notation): string {
  const cell = row[group.place]!;
  const textOf = (each: TableCell) => cellText(each, { ...group, decimals: decimalsOf(cell, group) }, notation);
  const own = textOf(cell);
  if (group.join === null) return own;
  const others = group.join.places.map((place) => row[place]!);
  return joinedText(group.join.as, { own, cell, others, textOf }, notation);
}

interface Joined {
  readonly own: string;
  readonly cell: TableCell;
  readonly others: readonly TableCell[];
  readonly textOf: (cell: TableCell) => string;
}

/** What is not there is left out: a mean of one run has no deviation, and one of four no interval. */
function joinedText(as: Join, { own, cell, others, textOf }: Joined, notation: Notation): string {
  const known = others.filter(({ value }) => value !== null && !Number.isNaN(value));
  const isWhole = known.length === others.length && cell.value !== null;
  const texts = others.map(textOf);
  switch (as) {
    case 'share':
      return notation.share(own, texts[0]!);
    case 'spread':
      return isWhole ? notation.spread(own, texts[0]!) : own;
    case 'interval':
      return isWhole ? notation.interval(own, texts[0]!) : notation.missing;
    case 'estimate':
      return isWhole ? notation.estimate(own, notation.interval(texts[0]!, texts[1]!)) : own;
  }
}

function decimalsOf({ spread }: TableCell, { decimals }: Group): number {
  return decimalsFromSpread(spread) ?? decimals;
}

function cellText({ value, text }: TableCell, { head, decimals }: Group, notation: Notation): string {
  const isNumber = typeof value === 'number';
  if (text !== undefined && (notation.hasTextForNumbers || !isNumber)) return notation.text(text);
  if (!isNumber) return value === null ? notation.missing : notation.text(String(value));
  if (Number.isNaN(value)) return notation.nan;
  return Number.isFinite(value) ? notation.number(value, decimals, head.kind) : notation.infinity(value < 0);
}
