import type { Interval, IntervalOptions } from '../statistics/bootstrap.ts';
import { holm } from '../statistics/holm.ts';
import { improvementInterval, probabilityOfImprovement } from '../statistics/improvement.ts';
import { pairedDifferences } from '../statistics/paired-difference.ts';
import { performanceProfile, profileThresholds } from '../statistics/performance-profile.ts';
import { score, scoreInterval } from '../statistics/score-interval.ts';
import { welchPValue } from '../statistics/welch.ts';
import { wilcoxonPValue } from '../statistics/wilcoxon.ts';
import { metricValue } from './result-columns.ts';
import type { ResultRow } from './result-row.ts';
import { groupRows, summarize } from './result-summary.ts';

/** A metric of the runs of a variant. Null where no run has a value, NaN where some value is. */
export interface VariantScore {
  readonly name: string;
  /** Runs that have a value. */
  readonly n: number;
  readonly nExpected: number;
  /** Of a relative gap it is the gap of all runs together, see `pooledRelativeGap`. */
  readonly mean: number | null;
  readonly median: number | null;
  readonly iqm: number | null;
  /** 95 %; null below five runs. */
  readonly iqmInterval: Interval | null;
  /** Share of the runs that have more than each threshold. */
  readonly profile: readonly number[];
}

/** How two variants differ. Null where one of the two has no value. */
export interface PairComparison {
  readonly first: string;
  readonly second: string;
  /** That a run of the first has more than one of the second; ties count half. */
  readonly probability: number | null;
  readonly probabilityInterval: Interval | null;
  /** Seeds that have a value in both. */
  readonly seeds: number;
  /** Mean of first − second over these seeds; null without one. */
  readonly difference: number | null;
  readonly differenceInterval: Interval | null;
  /** Mean of all runs of the first − that of the second, which Welch's test is about; null where one has no value. */
  readonly meanDifference: number | null;
  /** Corrected after Holm over all pairs that have one; null where there are too few runs, see `welchPValue`. */
  readonly welchP: number | null;
  /** The same of `wilcoxonPValue` over the seeds of both. */
  readonly wilcoxonP: number | null;
}

/** Statistics between variants. */
export interface Comparison {
  readonly metric: string;
  /** Null without a variant. */
  readonly baseline: string | null;
  readonly variants: readonly VariantScore[];
  readonly thresholds: readonly number[];
  /** Every other variant against the baseline. */
  readonly pairs: readonly PairComparison[];
}

export interface ComparisonOptions extends IntervalOptions {
  /** The variant that all others are compared with; the first of the rows when left out. */
  readonly baseline?: string | undefined;
}

/** Of these a run that learnt nothing has none: NaN. */
const RATIOS: readonly string[] = ['relative_gap', 'best_relative_gap'];

/** A variant with what its runs have of the metric. */
interface Measured {
  readonly name: string;
  readonly nExpected: number;
  readonly mean: number | null;
  readonly bySeed: ReadonlyMap<number, number>;
  readonly values: readonly number[];
}

/**
 * Compares variants by a metric: each for itself, and each with the baseline. What is not measured is left out and lowers n. NaN
 * is not left out, and makes NaN of what it enters; only a run that learnt nothing has no relative gap, and counts as not
 * measured there.
 *
 * @param rows of all variants, in the order in which these are to appear; variants differ in their names
 */
export function compareVariants(
  rows: readonly ResultRow[],
  metric: string,
  { baseline, ...interval }: ComparisonOptions = {},
): Comparison {
  const variants = [...groupRows(rows, ({ variant }) => variant)].map(([name, group]) =>
    measuredVariant(name, group, metric),
  );
  const thresholds = profileThresholds(variants.flatMap(({ values }) => values));
  const second = variants.find(({ name }) => name === baseline) ?? variants[0];
  const pairs = variants.flatMap((first) =>
    second === undefined || first === second ? [] : [pairComparison(first, second, interval)],
  );
  return {
    metric,
    baseline: second?.name ?? null,
    variants: variants.map((variant) => variantScore(variant, thresholds, interval)),
    thresholds,
    pairs: corrected(pairs),
  };
}

function measuredVariant(name: string, rows: readonly ResultRow[], metric: string): Measured {
  const bySeed = new Map(
    rows.flatMap((row) => {
      const value = metricValue(row, metric);
      return value === null || (RATIOS.includes(metric) && Number.isNaN(value)) ? [] : [[row.seed, value] as const];
    }),
  );
  // In the order of the seeds: no sum and no resample may depend on which run was read first.
  const values = [...bySeed].sort(([a], [b]) => a - b).map(([, value]) => value);
  return { name, nExpected: rows.length, mean: summarize(rows, metric).mean, bySeed, values };
}

function variantScore(
  { name, nExpected, mean, values }: Measured,
  thresholds: readonly number[],
  interval: IntervalOptions,
): VariantScore {
  const of = (kind: 'median' | 'iqm') => (values.length === 0 ? null : score(kind, [values]));
  return {
    name,
    n: values.length,
    nExpected,
    mean,
    median: of('median'),
    iqm: of('iqm'),
    iqmInterval: scoreInterval('iqm', [values], interval),
    profile: values.length === 0 ? [] : performanceProfile(values, thresholds),
  };
}

/** One pair; its p-values are not corrected yet. */
function pairComparison(first: Measured, second: Measured, interval: IntervalOptions): PairComparison {
  const task = { first: first.values, second: second.values };
  const isMeasured = first.values.length > 0 && second.values.length > 0;
  const differences = pairedDifferences(first.bySeed, second.bySeed);
  return {
    first: first.name,
    second: second.name,
    probability: isMeasured ? probabilityOfImprovement([task]) : null,
    probabilityInterval: improvementInterval([task], interval),
    seeds: differences.length,
    difference: differences.length === 0 ? null : score('mean', [differences]),
    differenceInterval: scoreInterval('mean', [differences], interval),
    meanDifference: isMeasured ? score('mean', [first.values]) - score('mean', [second.values]) : null,
    welchP: welchPValue(first.values, second.values),
    wilcoxonP: wilcoxonPValue(differences),
  };
}

function corrected(pairs: readonly PairComparison[]): PairComparison[] {
  const welch = correctedWhereKnown(pairs.map(({ welchP }) => welchP));
  const wilcoxon = correctedWhereKnown(pairs.map(({ wilcoxonP }) => wilcoxonP));
  return pairs.map((pair, index) => ({ ...pair, welchP: welch[index]!, wilcoxonP: wilcoxon[index]! }));
}

function correctedWhereKnown(pValues: readonly (number | null)[]): (number | null)[] {
  const known = holm(pValues.filter((pValue) => pValue !== null));
  let next = 0;
  return pValues.map((pValue) => (pValue === null ? null : known[next++]!));
}
