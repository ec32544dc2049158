import { quantile } from './bootstrap.ts';

/**
 * The middle value, or the mean of the two in the middle. One NaN among the values makes it NaN; infinite values stand at the
 * ends of the order, and are the median only where they reach the middle.
 *
 * @returns NaN of nothing
 */
export function median(values: readonly number[]): number {
  if (values.length === 0 || values.some(Number.isNaN)) return NaN;
  return quantile(Float64Array.from(values).sort(), 0.5);
}
