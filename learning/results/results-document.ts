import type { ResultRow } from './result-row.ts';
import { recordFrom } from './column.ts';
import { stateCounts } from './state-counts.ts';
import { RESULT_COLUMNS } from './result-columns.ts';
import { confidenceInterval, groupRows, summarize } from './result-summary.ts';
import type { RoundChoice } from './round-choice.ts';

/** What a results document is made of. */
export interface ResultSet {
  readonly experiment: {
    readonly id: string;
    readonly name: string;
    readonly version: number;
    readonly resultHash: string;
  };
  readonly rows: readonly ResultRow[];
  /** See `deterministicDigest`; null when it was not asked for. */
  readonly digest: string | null;
}

/** The part of the runs that was asked for. */
export interface ShownRuns {
  /** What the summaries are over. */
  readonly rows: readonly ResultRow[];
  /** The same runs with the columns and in the order that were asked for. */
  readonly records: readonly Readonly<Record<string, unknown>>[];
  /** Which checkpoint the columns without a prefix are of. */
  readonly round: RoundChoice;
}

/** Which experiment results are of, for other programs: its state counts all of its runs, whichever are shown. */
export function experimentHead({ experiment, rows }: Pick<ResultSet, 'experiment' | 'rows'>): Record<string, unknown> {
  return {
    id: experiment.id,
    name: experiment.name,
    version: experiment.version,
    hash: experiment.resultHash,
    state: stateCounts(rows),
  };
}

/**
 * Results as JSON for other programs: every run whatever its state, and every variant's summary of one metric. Of
 * `relative_gap`, `mean` is the gap of all runs of the variant together, and `untrained` how many of them learnt nothing.
 * @param shown of the last checkpoint all runs with all columns when left out
 */
export function resultsDocument(
  set: ResultSet,
  metric: string,
  shown: ShownRuns = { rows: set.rows, records: set.rows.map((row) => recordFrom(RESULT_COLUMNS, row)), round: 'last' },
): Record<string, unknown> {
  return {
    experiment: { ...experimentHead(set), rows_sha256: set.digest },
    metric,
    round: shown.round,
    rows: shown.records,
    variants: [...groupRows(shown.rows, (row) => row.variant)].map(([variant, group]) => {
      const { n, nExpected, ...summary } = summarize(group, metric);
      const ci95 = confidenceInterval(group, metric);
      const untrained = group.filter((row) => row.last?.verdict === 'untrained').length;
      const gapOnly = metric === 'relative_gap' ? { untrained } : {};
      return { variant, n, n_expected: nExpected, [metric]: { ...summary, ci95, ...gapOnly } };
    }),
  };
}
