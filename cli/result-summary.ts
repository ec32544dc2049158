import type { ResultRow } from '../infra/postgres/result-rows.ts';
import { mean, sampleStandardDeviation } from '../learning/moments.ts';
import { bootstrapInterval, type Interval } from '../learning/statistics/bootstrap.ts';
import { interquartileMean } from '../learning/statistics/interquartile-mean.ts';
import { pooledRelativeGap, type Gains } from '../learning/statistics/relative-gap.ts';
import { metricValue } from './result-columns.ts';

/** A metric of several runs. */
export interface Summary {
  /** Runs that have a value. */
  readonly n: number;
  /** Runs there should be. */
  readonly nExpected: number;
  /** Of `relative_gap` it is the gap of all runs together, see `pooledRelativeGap`. NaN when some value is. */
  readonly mean: number | null;
  readonly iqm: number | null;
  readonly std: number | null;
  /** 95 % bootstrap interval of `mean`; null below five runs. */
  readonly ci95: Interval | null;
}

/** Summarizes a metric over runs: plain numbers, except for the relative gap, whose runs are pooled. */
export function summarize(rows: readonly ResultRow[], metric: string): Summary {
  const values = rows.map((row) => metricValue(row, metric)).filter((value) => value !== null);
  const nExpected = rows.length;
  if (values.length === 0) return { n: 0, nExpected, mean: null, iqm: null, std: null, ci95: null };
  const checkpoint = metric === 'relative_gap' ? 'last' : metric === 'best_relative_gap' ? 'best' : null;
  if (checkpoint !== null) return summarizeGaps(rows, values, checkpoint);
  return {
    n: values.length,
    nExpected,
    mean: mean(values),
    iqm: interquartileMean(values),
    std: sampleStandardDeviation(values),
    ci95: bootstrapInterval({ strata: [values], statistic: mean }),
  };
}

/**
 * Runs that learnt nothing have no ratio of their own, but count in the sums; the spread is over those that have one.
 * Where none has one, the sums would divide noise by noise.
 */
function summarizeGaps(rows: readonly ResultRow[], values: readonly number[], checkpoint: 'last' | 'best'): Summary {
  const gains = rows.flatMap((row) => gainsOf(row, checkpoint) ?? []);
  const ratios = values.filter((value) => !Number.isNaN(value));
  if (ratios.length === 0)
    return { n: gains.length, nExpected: rows.length, mean: NaN, iqm: NaN, std: NaN, ci95: null };
  return {
    n: gains.length,
    nExpected: rows.length,
    mean: pooledRelativeGap(gains),
    iqm: interquartileMean(ratios),
    std: sampleStandardDeviation(ratios),
    ci95: bootstrapInterval({ strata: [gains], statistic: pooledRelativeGap }),
  };
}

function gainsOf(row: ResultRow, checkpoint: 'last' | 'best'): Gains | null {
  const { trainGain = null, heldoutGain = null } = row[checkpoint] ?? {};
  return trainGain === null || heldoutGain === null ? null : { train: trainGain, heldout: heldoutGain };
}

/** How many runs have each verdict, worst first. */
export function verdictCounts(rows: readonly ResultRow[]): string {
  return (['collapsed', 'watch', 'healthy', 'untrained'] as const)
    .map((verdict) => [rows.filter((row) => row.last?.verdict === verdict).length, verdict] as const)
    .filter(([count]) => count > 0)
    .map(([count, verdict]) => `${count} ${verdict}`)
    .join(', ');
}

/** Rows by what a key of them says, in the order of their first appearance. */
export function groupRows<Key>(
  rows: readonly ResultRow[],
  keyOf: (row: ResultRow) => Key,
): Map<Key, readonly ResultRow[]> {
  const groups = new Map<Key, ResultRow[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}
