import type { ResultRow } from '../../learning/results/result-row.ts';
import { groupRows } from '../../learning/results/result-summary.ts';
import type { StudyRow } from './read-results.ts';

/** The metric by which variants are compared. */
export const COMPARED = 'heldout_return';

/** The runs of a variant. */
export interface VariantRows {
  readonly variant: string;
  readonly rows: readonly ResultRow[];
  readonly cells: readonly StudyRow['cells'][];
}

/** Runs by variant, in the order of the spec. */
export function variantsOf(rows: readonly StudyRow[]): VariantRows[] {
  const cellsOf = new Map(rows.map(({ row, cells }) => [row, cells]));
  const groups = groupRows(
    rows.map(({ row }) => row),
    ({ variant }) => variant,
  );
  return [...groups].map(([variant, group]) => ({
    variant,
    rows: group,
    cells: group.map((row) => cellsOf.get(row)!),
  }));
}
