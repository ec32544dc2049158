/** Mean of numbers and their squared distances from it, over all so far. */
export interface CountedMoments {
  readonly count: number;
  readonly mean: number;
  /** Sum of squared distances from the mean. */
  readonly squares: number;
}

export const NO_MOMENTS: CountedMoments = { count: 0, mean: 0, squares: 0 };

/**
 * The moments with more numbers taken in.
 * @param values at least one
 * @source Chan, Golub, LeVeque: Updating formulae and a pairwise algorithm for computing sample variances, eq. 1.5
 */
export function mergedMoments(moments: CountedMoments, values: readonly number[]): CountedMoments {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const count = moments.count + values.length;
  const distance = mean - moments.mean;
  return {
    count,
    mean: moments.mean + (distance * values.length) / count,
    squares: moments.squares + squares + (distance * distance * moments.count * values.length) / count,
  };
}

/** 1 before anything was seen. */
export function deviationOf({ count, squares }: CountedMoments): number {
  return count === 0 ? 1 : Math.sqrt(squares / count);
}
