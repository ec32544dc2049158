import { mean } from './moments.ts';

/**
 * Interquartile mean: the mean of what is left after dropping the ⌊n/4⌋ lowest and the ⌊n/4⌋ highest values. One NaN
 * among the values makes it NaN: a run that diverged must not vanish into a dropped quarter. An infinite value is a value, the
 * lowest or the highest, and may be dropped like any other. NaN of nothing.
 *
 * @source Agarwal et al.: Deep Reinforcement Learning at the Edge of the Statistical Precipice (NeurIPS 2021)
 */
export function interquartileMean(values: readonly number[]): number {
  if (values.some(Number.isNaN)) return NaN;
  const sorted = Float64Array.from(values).sort();
  const dropped = Math.floor(sorted.length / 4);
  return mean(sorted.subarray(dropped, sorted.length - dropped));
}
