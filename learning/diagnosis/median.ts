import { quantile } from '../statistics/bootstrap.ts';

/** The middle value, or the mean of the two in the middle. @param values at least one */
export function median(values: readonly number[]): number {
  return quantile(Float64Array.from(values).sort(), 0.5);
}
