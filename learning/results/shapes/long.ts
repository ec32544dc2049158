import { sampleStandardDeviation } from '../../statistics/moments.ts';
import type { Column } from '../column.ts';
import { metricValue } from '../result-columns.ts';
import type { ResultRow } from '../result-row.ts';
import { tableFrom } from '../table.ts';
import { sortedBy, type Shape } from './shape.ts';

interface LongRow {
  readonly run: ResultRow;
  readonly metric: string;
  readonly value: number | null;
  /** Of the metric over all runs: metrics of unlike size stand in one column. */
  readonly spread: number;
}

const COLUMNS: readonly Column<LongRow>[] = [
  { key: 'variant', value: ({ run }) => run.variant },
  { key: 'seed', align: 'right', value: ({ run }) => run.seed },
  { key: 'state', value: ({ run }) => run.state },
  { key: 'metric', value: ({ metric }) => metric },
  { key: 'value', kind: 'measure', align: 'right', value: ({ value }) => value, spread: ({ spread }) => spread },
];

/** One row a run and metric: what statistics programs call tidy. */
export const LONG: Shape = {
  rowIs: 'a run and metric',
  pinned: ['variant', 'seed', 'metric'],
  takesManyMetrics: true,
  build: ({ rows, metrics, by }) => {
    const spreads = new Map(metrics.map((metric) => [metric, spreadOf(rows, metric)]));
    const lines = sortedBy(rows, by[0] ?? 'variant').flatMap((run) =>
      metrics.map((metric) => ({ run, metric, value: metricValue(run, metric), spread: spreads.get(metric)! })),
    );
    return { table: tableFrom(COLUMNS, lines), notes: [] };
  },
};

function spreadOf(rows: readonly ResultRow[], metric: string): number {
  const values = rows
    .map((row) => metricValue(row, metric))
    .filter((value) => value !== null && Number.isFinite(value));
  return sampleStandardDeviation(values as number[]);
}
