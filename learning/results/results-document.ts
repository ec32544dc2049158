import type { ResultRow } from './result-row.ts';
import { recordFrom } from './column.ts';
import { stateCounts } from './state-counts.ts';
import { RESULT_COLUMNS } from './result-columns.ts';
import { confidenceInterval, groupRows, summarize } from './result-summary.ts';

/** What a results document is made of. */
export interface ResultSet {
  readonly experiment: { readonly id: string; readonly name: string; readonly version: number; readonly resultHash: string };
  readonly rows: readonly ResultRow[];
  /** See `deterministicDigest`; null when it was not asked for. */
  readonly digest: string | null;
}

/**
 * Results as JSON for other programs: every run whatever its state, and every variant's summary of one metric. Of
 * `relative_gap`, `mean` is the gap of all runs of the variant together, and `untrained` how many of them learnt nothing.
 */
export function resultsDocument({ experiment, rows, digest }: ResultSet, metric: string): Record<string, unknown> {
  return {
    experiment: {
      id: experiment.id,
      name: experiment.name,
      version: experiment.version,
      hash: experiment.resultHash,
      state: stateCounts(rows),
      rows_sha256: digest,
    },
    metric,
    rows: rows.map((row) => recordFrom(RESULT_COLUMNS, row)),
    variants: [...groupRows(rows, (row) => row.variant)].map(([variant, group]) => {
      const { n, nExpected, ...summary } = summarize(group, metric);
      const ci95 = confidenceInterval(group, metric);
      const untrained = group.filter((row) => row.last?.verdict === 'untrained').length;
      const gapOnly = metric === 'relative_gap' ? { untrained } : {};
      return { variant, n, n_expected: nExpected, [metric]: { ...summary, ci95, ...gapOnly } };
    }),
  };
}
