const THRESHOLDS = 41;

/**
 * The share of values that are more than each threshold. Where some value is NaN, all shares are: it is neither above nor below
 * anything, and must not pass for a low one. Infinite values are compared like others. NaN of nothing.
 *
 * @param values runs × tasks
 * @source Agarwal et al.: Deep Reinforcement Learning at the Edge of the Statistical Precipice (NeurIPS 2021), section 4.2,
 * score distribution
 */
export function performanceProfile(values: readonly number[], thresholds: readonly number[]): number[] {
  if (values.some(Number.isNaN)) return thresholds.map(() => NaN);
  return thresholds.map((threshold) => values.filter((value) => value > threshold).length / values.length);
}

/**
 * Thresholds to draw profiles at: evenly spaced, from one step below the lowest finite value, where every share is 1, to the
 * highest, where it is 0 but for infinite values. None where no value is finite; one where all are equal.
 */
export function profileThresholds(values: readonly number[], count = THRESHOLDS): number[] {
  const finite = values.filter(Number.isFinite);
  if (finite.length === 0) return [];
  const low = finite.reduce((least, value) => Math.min(least, value));
  const high = finite.reduce((most, value) => Math.max(most, value));
  if (low === high) return [low];
  const step = (high - low) / (count - 2);
  return Array.from({ length: count }, (_, index) => (index === count - 1 ? high : low + (index - 1) * step));
}
