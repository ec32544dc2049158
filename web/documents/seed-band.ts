import { mean } from '../../learning/statistics/moments.ts';
import { scoreInterval } from '../../learning/statistics/score-interval.ts';

/** A curve has hundreds of points, and its band is looked at and not quoted: tables resample far more often. */
const RESAMPLES_MAX = 1_000;
const RESAMPLES_MIN = 100;
/** Draws of all bands of an answer together, 1.1 s on a busy machine: so long everybody else who asks waits. */
const DRAWS_MAX = 100_000_000;

/** The mean of some runs with a band around it. */
export interface Band {
  readonly n: number;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** How many resamples the bands of an answer are of. @param valueCount of all its bands together */
export function bandResamples(valueCount: number): number {
  return Math.max(RESAMPLES_MIN, Math.min(RESAMPLES_MAX, Math.floor(DRAWS_MAX / Math.max(1, valueCount))));
}

/** A 95 % interval of the mean over the seeds; where there are too few for one, from the lowest to the highest. */
export function bandOf(values: readonly number[], resamples: number): Band {
  const interval = scoreInterval('mean', [values], { resamples });
  const [low, high] = interval ?? [Math.min(...values), Math.max(...values)];
  return { n: values.length, mean: mean(values), low, high };
}
