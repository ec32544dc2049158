/** A cell of a row: lists are compared entry by entry. */
export type Value = number | string | null | readonly Value[];

/** A row of a table as it is compared. */
export interface ComparedRow {
  readonly table: string;
  /** Names the row within its table. */
  readonly key: string;
  readonly values: Readonly<Record<string, Value>>;
}

export interface Difference {
  readonly table: string;
  readonly key: string;
  /** With indices where the cell is a list, as in `visitation[0][3]`. */
  readonly column: string;
  /** Undefined: there is no such row. */
  readonly stored: Value | undefined;
  readonly replayed: Value | undefined;
}

/**
 * Compares rows in the order in which they are stored. Numbers are equal to the last bit, NaN to NaN, and −0 is not 0:
 * what a round gives again must be the same bytes.
 *
 * @returns how many cells were compared, and the first that differs
 */
export function firstDifference(
  stored: readonly ComparedRow[],
  replayed: readonly ComparedRow[],
): { compared: number; difference: Difference | null } {
  const others = new Map(replayed.map((row) => [nameOf(row), row]));
  let compared = 0;
  for (const row of stored) {
    const other = others.get(nameOf(row));
    if (other === undefined) return { compared, difference: missing(row, 'replayed') };
    others.delete(nameOf(row));
    for (const [column, value] of Object.entries(row.values)) {
      const place = differenceBetween(column, value, other.values[column]);
      if (place !== null) return { compared, difference: { table: row.table, key: row.key, ...place } };
      compared += 1;
    }
  }
  const [added] = others.values();
  return { compared, difference: added === undefined ? null : missing(added, 'stored') };
}

const nameOf = ({ table, key }: ComparedRow): string => JSON.stringify([table, key]);

function missing({ table, key }: ComparedRow, where: 'stored' | 'replayed'): Difference {
  const there = 'a row';
  const isStored = where === 'replayed';
  return { table, key, column: '', stored: isStored ? there : undefined, replayed: isStored ? undefined : there };
}

type Place = Pick<Difference, 'column' | 'stored' | 'replayed'>;

function differenceBetween(column: string, stored: Value | undefined, replayed: Value | undefined): Place | null {
  if (!Array.isArray(stored) || !Array.isArray(replayed)) {
    return Object.is(stored, replayed) ? null : { column, stored, replayed };
  }
  const values = stored as readonly Value[];
  const others = replayed as readonly Value[];
  for (let index = 0; index < Math.max(values.length, others.length); index += 1) {
    const place = differenceBetween(`${column}[${index}]`, values[index], others[index]);
    if (place !== null) return place;
  }
  return null;
}
