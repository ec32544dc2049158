import type { ExperimentRecord } from '../infra/postgres/experiment-rows.ts';
import type { ResultRow } from '../learning/results/result-row.ts';
import { groupRows, summarize } from '../learning/results/result-summary.ts';
import { stateCounts } from '../learning/results/state-counts.ts';

/** Metrics of the last checkpoints that a notice tells of each variant. */
const METRICS = ['heldout_return', 'worst_heldout', 'relative_gap'] as const;

/** What is posted when an experiment is over; docs/guides/watching.md describes it. NaN and infinities are strings. */
export function noticeBody(
  { id, name, version, resultHash }: Pick<ExperimentRecord, 'id' | 'name' | 'version' | 'resultHash'>,
  rows: readonly ResultRow[],
  key: string,
): string {
  const counts = stateCounts(rows);
  const succeeded = (counts.SUCCEEDED ?? 0) + (counts.SKIPPED ?? 0);
  const notice = {
    event: 'experiment.ended',
    key,
    experiment: { id, name, version, hash: resultHash },
    succeeded: succeeded === rows.length,
    runs: rows.length,
    states: counts,
    variants: [...groupRows(rows, ({ variant }) => variant)].map(([variant, group]) => ({
      variant,
      ...Object.fromEntries(METRICS.map((metric) => [metric, summaryOf(group, metric)])),
    })),
    command: `thaw results ${id}`,
  };
  return JSON.stringify(notice, (_key, value: unknown) =>
    typeof value === 'number' && !Number.isFinite(value) ? String(value) : value,
  );
}

function summaryOf(rows: readonly ResultRow[], metric: string) {
  const { n, nExpected, mean, iqm, std } = summarize(rows, metric);
  return { n, n_expected: nExpected, mean, iqm, std };
}
