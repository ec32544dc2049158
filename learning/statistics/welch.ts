import { INTERVAL_VALUES_MIN } from './bootstrap.ts';
import { mean, sampleStandardDeviation } from './moments.ts';
import { studentTwoSided } from './student.ts';

// Letters: n and m values, s² the variance of each with one less.

/**
 * Two-sided p-value of Welch's t test: that two variants have the same mean, without the assumption that they scatter alike.
 *
 *     t = (mean(first) − mean(second)) / √(s₁²/n + s₂²/m)
 *     degrees of freedom = (s₁²/n + s₂²/m)² / ((s₁²/n)²/(n − 1) + (s₂²/m)²/(m − 1))
 *
 * @param first shape [n]
 * @param second shape [m]
 * @returns in [0, 1]; null below five values in one of the two, where a value is NaN or infinite, and where neither of the two
 * scatters: then the test has nothing to measure a difference by
 * @source Welch: The Generalization of 'Student's' Problem when Several Different Population Variances are Involved (1947)
 */
export function welchPValue(first: readonly number[], second: readonly number[]): number | null {
  if (first.length < INTERVAL_VALUES_MIN || second.length < INTERVAL_VALUES_MIN) return null;
  if (![...first, ...second].every(Number.isFinite)) return null;
  const [one, two] = [squaredError(first), squaredError(second)];
  if (one + two === 0) return null;
  const t = (mean(first) - mean(second)) / Math.sqrt(one + two);
  const freedom = (one + two) ** 2 / (one ** 2 / (first.length - 1) + two ** 2 / (second.length - 1));
  return studentTwoSided(t, freedom);
}

/** Squared standard error of the mean. */
function squaredError(values: readonly number[]): number {
  // Of equal values the mean may differ in its last digit, and they would seem to scatter.
  if (values.every((value) => value === values[0])) return 0;
  return sampleStandardDeviation(values) ** 2 / values.length;
}
