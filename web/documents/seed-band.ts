import { bootstrapInterval } from '../../learning/statistics/bootstrap.ts';
import { mean } from '../../learning/statistics/moments.ts';

/** A curve has hundreds of points, and its band is looked at and not quoted: tables resample far more often. */
const RESAMPLES = 1_000;

/** The mean of some runs with a band around it. */
export interface Band {
  readonly n: number;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** A 95 % interval of the mean over the seeds; where there are too few for one, from the lowest to the highest. */
export function bandOf(values: readonly number[]): Band {
  const interval = bootstrapInterval({ strata: [values], statistic: mean, resamples: RESAMPLES });
  const [low, high] = interval ?? [Math.min(...values), Math.max(...values)];
  return { n: values.length, mean: mean(values), low, high };
}
