import { ThawError } from '../../schemas/errors.ts';
import { resamplesOf } from './resamples.ts';
import { select } from './select.ts';

/** Below so many values no interval is given: the points say more. */
export const INTERVAL_VALUES_MIN = 5;

export type Interval = readonly [low: number, high: number];

/** How an interval is made, whatever it is of. */
export interface IntervalOptions {
  /** Probability that the interval holds the quantity; 0.95 when left out. */
  readonly confidence?: number;
  /** How many resamples; what `resampleCount` says when left out. */
  readonly resamples?: number;
  /** Names the stream of random numbers: the same seed gives the same interval. */
  readonly seed?: number;
}

export interface BootstrapOptions<Item> extends IntervalOptions {
  /** What is resampled, by stratum: each stratum is resampled within itself and keeps its size. */
  readonly strata: readonly (readonly Item[])[];
  /** The quantity of one resample, all strata in one list and in order. */
  readonly statistic: (items: readonly Item[]) => number;
}

/**
 * Percentile interval of a stratified bootstrap: the quantiles (1 ∓ confidence)/2 of the statistic over resamples drawn
 * with replacement, with linear interpolation between order statistics. Its ends are NaN when the statistic of some
 * resample is. Of quantities of plain numbers `scoreInterval` gives the same in less time.
 *
 * @returns null when some stratum has fewer than five items
 * @source Efron, Tibshirani: An Introduction to the Bootstrap (1993), chapter 13
 */
export function bootstrapInterval<Item>(options: BootstrapOptions<Item>): Interval | null {
  const { strata, statistic, confidence, resamples, seed } = options;
  if (!canResample(strata)) return null;
  const items = strata.flat();
  const { count, size, draws } = resamplesOf({ sizes: strata.map(({ length }) => length), resamples, seed });
  const resample = [...items];
  const estimates = new Float64Array(count);
  for (let index = 0; index < count; index += 1) {
    for (let item = 0; item < size; item += 1) resample[item] = items[draws[index * size + item]!]!;
    estimates[index] = statistic(resample);
  }
  return percentileInterval(estimates, confidence);
}

/** Whether there is enough in every stratum to give an interval. */
export function canResample(strata: readonly { readonly length: number }[]): boolean {
  return strata.length > 0 && strata.every(({ length }) => length >= INTERVAL_VALUES_MIN);
}

/**
 * The quantiles (1 ∓ confidence)/2 of what the resamples gave; both NaN where one of them is.
 *
 * @param estimates one of each resample; put into another order
 * @throws DEFECT_INVARIANT when the confidence is not between 0 and 1
 */
export function percentileInterval(estimates: Float64Array, confidence = 0.95): Interval {
  if (!(confidence > 0 && confidence < 1)) {
    throw new ThawError('DEFECT_INVARIANT', `a confidence is between 0 and 1, not ${confidence}`);
  }
  if (hasNaN(estimates)) return [NaN, NaN];
  return [selectQuantile(estimates, (1 - confidence) / 2), selectQuantile(estimates, (1 + confidence) / 2)];
}

function hasNaN(values: Float64Array): boolean {
  for (let index = 0; index < values.length; index += 1) if (Number.isNaN(values[index])) return true;
  return false;
}

function selectQuantile(values: Float64Array, share: number): number {
  const position = share * (values.length - 1);
  const below = Math.floor(position);
  const low = select(values, below);
  // The next one is the smallest of what stands after it.
  let high = below + 1 < values.length ? Infinity : low;
  for (let index = below + 1; index < values.length; index += 1) if (values[index]! < high) high = values[index]!;
  return between(low, high, position - below);
}

/**
 * Quantile by linear interpolation between order statistics, as NumPy's default. Between a finite and an infinite value it is
 * the infinite one, and NaN between both infinities.
 *
 * @param sorted ascending, not empty, without NaN
 * @param share in [0, 1]
 */
export function quantile(sorted: Float64Array, share: number): number {
  const position = share * (sorted.length - 1);
  const below = Math.floor(position);
  return between(sorted[below]!, sorted[Math.min(below + 1, sorted.length - 1)]!, position - below);
}

function between(low: number, high: number, share: number): number {
  if (low === high || share === 0) return low;
  return Number.isFinite(low) ? low + (high - low) * share : low + high;
}
