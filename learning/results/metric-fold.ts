import type { Interval } from '../statistics/bootstrap.ts';
import { median } from '../statistics/median.ts';
import type { ResultRow } from './result-row.ts';
import { confidenceInterval, spreadValues, summarize, type Summary } from './result-summary.ts';

/** What a metric is over several runs. */
export interface MetricFold extends Summary {
  readonly median: number | null;
  /** Of the mean, 95 %; null below five runs, and where the mean is not a number. */
  readonly interval: Interval | null;
}

/** Folds a metric over runs: null where no run has a value, NaN where some value is. */
export function metricFold(rows: readonly ResultRow[], metric: string): MetricFold {
  const summary = summarize(rows, metric);
  return {
    ...summary,
    median: summary.n === 0 ? null : median(spreadValues(rows, metric)),
    interval: confidenceInterval(rows, metric),
  };
}
