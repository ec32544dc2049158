import { ThawError } from '../../schemas/errors.ts';

/** Neighbouring environments out of all those of a round. */
export interface EnvironmentRange {
  /** Index of the first of them. */
  readonly first: number;
  readonly count: number;
  /** B: environments of the round. */
  readonly total: number;
}

export const allEnvironments = (total: number): EnvironmentRange => ({ first: 0, count: total, total });

/**
 * The environments in so many nearly equal ranges, in order.
 * @throws DEFECT_INVARIANT when there are fewer environments than ranges
 */
export function splitEnvironments(total: number, rangeCount: number): EnvironmentRange[] {
  if (rangeCount > total) {
    throw new ThawError('DEFECT_INVARIANT', `${total} environments cannot be played by ${rangeCount} samplers`);
  }
  const borderOf = (index: number): number => Math.floor((total * index) / rangeCount);
  return Array.from({ length: rangeCount }, (_, index) => ({
    first: borderOf(index),
    count: borderOf(index + 1) - borderOf(index),
    total,
  }));
}
