import { readFileSync } from 'node:fs';

type Ends = readonly [number, number];

interface Aggregates {
  readonly mean: number;
  readonly mean_interval: Ends;
  readonly iqm: number;
  readonly iqm_interval: Ends;
  readonly median_of_task_means: number;
  readonly first_task_iqm: number;
  readonly first_task_iqm_interval: Ends;
  readonly first_task_median: number;
  readonly first_task_median_interval: Ends;
}

interface PairedTest {
  readonly differences: readonly number[];
  readonly p: number;
}

/** What `learning/statistics/golden/comparison.py` printed: values of rliable and SciPy. */
interface ComparisonGolden {
  /** Tasks × runs. */
  readonly first: readonly (readonly number[])[];
  readonly second: readonly (readonly number[])[];
  readonly first_aggregates: Aggregates;
  readonly second_aggregates: Aggregates;
  readonly improvement: number;
  readonly improvement_interval: Ends;
  readonly thresholds: readonly number[];
  readonly profile: readonly number[];
  readonly welch: readonly {
    readonly first: readonly number[];
    readonly second: readonly number[];
    readonly p: number;
  }[];
  readonly wilcoxon_exact: readonly PairedTest[];
  readonly wilcoxon_normal: PairedTest;
  readonly wilcoxon_tied: PairedTest;
  readonly normal: readonly (readonly [z: number, p: number])[];
  readonly student: readonly (readonly [t: number, freedom: number, p: number])[];
}

const file = new URL('../../learning/statistics/golden/comparison.json', import.meta.url);

export const comparisonGolden = JSON.parse(readFileSync(file, 'utf8')) as ComparisonGolden;

/** How far the ends of two intervals of 50 000 resamples may be apart by chance, as a share of their width. */
export const RESAMPLING_ERROR = 0.03;

/** The larger distance between the ends of two intervals, as a share of the width of the second. */
export function intervalDistance(ours: readonly number[], theirs: readonly number[]): number {
  const width = theirs[1]! - theirs[0]!;
  return Math.max(...ours.map((end, side) => Math.abs(end - theirs[side]!) / width));
}
