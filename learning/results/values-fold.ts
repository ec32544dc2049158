import { interquartileMean } from '../statistics/interquartile-mean.ts';
import { median } from '../statistics/median.ts';
import { mean, sampleStandardDeviation } from '../statistics/moments.ts';
import { scoreInterval } from '../statistics/score-interval.ts';
import type { MetricFold } from './metric-fold.ts';

/** Folds plain numbers, at least one: NaN where some value is. The interval is of the mean, and there is none of a mean that is no number. */
export function foldValues(values: readonly number[]): MetricFold {
  const centre = mean(values);
  return {
    n: values.length,
    nExpected: values.length,
    mean: centre,
    iqm: interquartileMean(values),
    median: median(values),
    std: sampleStandardDeviation(values),
    interval: Number.isNaN(centre) ? null : scoreInterval('mean', [values]),
  };
}
