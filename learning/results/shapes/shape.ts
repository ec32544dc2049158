import type { ResultRow } from '../result-row.ts';
import type { Table } from '../table.ts';

/** What runs are told apart by. */
export type Dimension = 'seed' | 'variant';

/** What a shape is made of. */
export interface ShapeRequest {
  /** Variant by variant in the order of the spec, each by seed. */
  readonly rows: readonly ResultRow[];
  /** At least one; of a shape that takes one metric, exactly one. */
  readonly metrics: readonly string[];
  /** What goes down first, and what across. */
  readonly by: readonly Dimension[];
  /** People read a narrow table; programs get everything, a value a cell. */
  readonly isForPeople: boolean;
  /** How people read a mean where there is room for one number: with its standard deviation, or with its interval. */
  readonly spread: 'std' | 'interval';
}

/** A table with what is shown of it where no columns are chosen; all of it when left out. */
export interface Shaped {
  readonly table: Table;
  readonly shown?: readonly string[];
  /** What a reader must know to read it. */
  readonly notes: readonly string[];
}

/** One way to lay out the results of an experiment. */
export interface Shape {
  /** What a row of it is, in words. */
  readonly rowIs: string;
  /** Columns that say what a row is: they cannot be hidden. */
  readonly pinned: readonly string[];
  readonly takesManyMetrics: boolean;
  readonly build: (request: ShapeRequest) => Shaped;
}

/** By seed in order of number; by variant as the rows are, in the order of the spec. */
export function sortedBy(rows: readonly ResultRow[], dimension: Dimension): readonly ResultRow[] {
  return dimension === 'variant' ? rows : [...rows].sort((a, b) => a.seed - b.seed);
}
