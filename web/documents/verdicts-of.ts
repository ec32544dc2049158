import type { ResultRow } from '../../learning/results/result-row.ts';

/** How many runs have each verdict; those that were not evaluated yet have none. */
export function verdictsOf(rows: readonly Pick<ResultRow, 'last'>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { last } of rows) {
    const verdict = last?.verdict ?? null;
    if (verdict !== null) counts[verdict] = (counts[verdict] ?? 0) + 1;
  }
  return counts;
}
