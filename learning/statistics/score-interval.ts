import { canResample, percentileInterval, type Interval, type IntervalOptions } from './bootstrap.ts';
import { interquartileMean } from './interquartile-mean.ts';
import { median } from './median.ts';
import { mean } from './moments.ts';
import { resamplesOf, type Resamples } from './resamples.ts';

// Letters: n values of all strata together.

/** What a set of runs is summed up by. */
export type ScoreKind = 'mean' | 'median' | 'iqm';

const SCORES: Readonly<Record<ScoreKind, (values: readonly number[]) => number>> = {
  mean,
  median,
  iqm: interquartileMean,
};

/** How many of n values are dropped at either end. */
const DROPPED: Readonly<Record<'median' | 'iqm', (size: number) => number>> = {
  // All but the one value, or the two, in the middle.
  median: (size) => Math.floor((size - 1) / 2),
  iqm: (size) => Math.floor(size / 4),
};

/** Mean, median or interquartile mean over the values of all strata (runs × tasks). NaN of nothing and where a value is NaN. */
export function score(kind: ScoreKind, strata: readonly (readonly number[])[]): number {
  return SCORES[kind](strata.flat());
}

/**
 * 95 % percentile interval of `score` by a stratified bootstrap, see `bootstrapInterval`. It does not depend on the order of the
 * values within a stratum, and takes a fifth of the time, because what was drawn is counted and not sorted.
 *
 * @param strata values by task: each task is resampled within itself
 * @returns null when some stratum has fewer than five values; both ends NaN where a value is
 */
export function scoreInterval(
  kind: ScoreKind,
  strata: readonly (readonly number[])[],
  { confidence, resamples, seed }: IntervalOptions = {},
): Interval | null {
  if (!canResample(strata)) return null;
  const values = strata.flatMap((stratum) => [...Float64Array.from(stratum).sort()]);
  if (values.some(Number.isNaN)) return [NaN, NaN];
  const drawn = resamplesOf({ sizes: strata.map(({ length }) => length), resamples, seed });
  const estimates = kind === 'mean' ? resampledMeans(values, drawn) : resampledScores(kind, values, drawn);
  return percentileInterval(estimates, confidence);
}

function resampledMeans(values: readonly number[], { count, size, draws }: Resamples): Float64Array {
  const items = Float64Array.from(values);
  const estimates = new Float64Array(count);
  for (let resample = 0; resample < count; resample += 1) {
    const end = (resample + 1) * size;
    let sum = 0;
    for (let draw = resample * size; draw < end; draw += 1) sum += items[draws[draw]!]!;
    estimates[resample] = sum / size;
  }
  return estimates;
}

function resampledScores(
  kind: 'median' | 'iqm',
  values: readonly number[],
  { count, size, draws }: Resamples,
): Float64Array {
  const { ascending, ranks } = ranked(values);
  const dropped = DROPPED[kind](size);
  const counts = new Uint32Array(size);
  const estimates = new Float64Array(count);
  for (let resample = 0; resample < count; resample += 1) {
    counts.fill(0);
    const end = (resample + 1) * size;
    for (let draw = resample * size; draw < end; draw += 1) {
      const rank = ranks[draws[draw]!]!;
      counts[rank] = counts[rank]! + 1;
    }
    estimates[resample] = middleMean(ascending, counts, dropped);
  }
  return estimates;
}

/** The values in ascending order, and where each of them stands in it. */
function ranked(values: readonly number[]): { ascending: Float64Array; ranks: Uint32Array } {
  const order = values.map((_, index) => index).sort((a, b) => compared(values[a]!, values[b]!));
  const ranks = new Uint32Array(values.length);
  order.forEach((index, rank) => {
    ranks[index] = rank;
  });
  return { ascending: Float64Array.from(order, (index) => values[index]!), ranks };
}

/** Not a difference: that of two infinities is none. */
function compared(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Mean of n counted values without the `dropped` lowest and as many highest. */
function middleMean(ascending: Float64Array, counts: Uint32Array, dropped: number): number {
  const size = ascending.length;
  const last = size - dropped;
  let passed = 0;
  let sum = 0;
  for (let rank = 0; rank < size && passed < last; rank += 1) {
    const count = counts[rank]!;
    if (count === 0) continue;
    const taken = Math.min(passed + count, last) - Math.max(passed, dropped);
    if (taken > 0) sum += taken * ascending[rank]!;
    passed += count;
  }
  return sum / (last - dropped);
}
