import { sampleStandardDeviation } from '../../learning/statistics/moments.ts';

const DECIMALS_MAX = 8;
/** Of a number of which nobody knows how far it is off. */
const SIGNIFICANT_DIGITS = 3;

/**
 * How many digits after the point mean something: two of the spread's own are kept, as is usual for `mean ± spread`. In
 * −21.4873 ± 0.4126 the fourth digit after the point is noise: −21.49 ± 0.41.
 *
 * @returns null where the spread says nothing
 */
export function decimalsFromSpread(spread: number | null | undefined): number | null {
  if (spread === null || spread === undefined || !Number.isFinite(spread) || spread <= 0) return null;
  return clamped(1 - exponentOf(spread));
}

/** The same of values without a spread of their own: what they differ by says it, or else three significant digits do. */
export function decimalsFromValues(values: readonly number[]): number {
  const finite = values.filter(Number.isFinite);
  if (finite.every(Number.isInteger)) return 0;
  const largest = Math.max(...finite.map(Math.abs));
  return decimalsFromSpread(sampleStandardDeviation(finite)) ?? clamped(SIGNIFICANT_DIGITS - 1 - exponentOf(largest));
}

/** Of the first digit: 0 of 3.1, −2 of 0.031; as it is after rounding to two digits. */
function exponentOf(value: number): number {
  return Number(value.toExponential(1).split('e')[1]);
}

function clamped(decimals: number): number {
  return Math.min(DECIMALS_MAX, Math.max(0, decimals));
}
