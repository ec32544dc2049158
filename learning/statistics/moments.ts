/** Arithmetic mean; NaN of nothing. */
export function mean(values: readonly number[]): number {
  if (values.length === 0) return NaN;
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** Standard deviation of a sample, with n − 1 in the denominator; NaN of fewer than two values. */
export function standardDeviation(values: readonly number[]): number {
  if (values.length < 2) return NaN;
  const center = mean(values);
  let squares = 0;
  for (const value of values) squares += (value - center) ** 2;
  return Math.sqrt(squares / (values.length - 1));
}

/**
 * Interquartile mean: the mean of what is left after dropping the ⌊n/4⌋ lowest and the ⌊n/4⌋ highest values. One NaN
 * among the values makes it NaN: a run that diverged must not vanish into a dropped quarter.
 *
 * @source Agarwal et al.: Deep Reinforcement Learning at the Edge of the Statistical Precipice (NeurIPS 2021)
 */
export function interquartileMean(values: readonly number[]): number {
  if (values.some(Number.isNaN)) return NaN;
  const sorted = Float64Array.from(values).sort();
  const dropped = Math.floor(sorted.length / 4);
  return mean([...sorted.subarray(dropped, sorted.length - dropped)]);
}
