// Letters: S simulators, E episodes of one of them.

/** The share of the episodes that the tail is meant to hold. */
const TAIL_SHARE = 0.1;
/** Sums of weights are exact to about 1e−15 of their number; a share that is reached but for that is reached. */
const ROUNDING = 1e-9;

interface WeightedReturn {
  readonly value: number;
  readonly weight: number;
}

/**
 * How the worst episodes of a panel go: its conditional value at risk, without the bias of choosing the worst by the same
 * numbers that are reported.
 *
 *     threshold = the 10 % quantile of the returns of the even-numbered episodes, the least value that 10 % do not exceed
 *     tail      = mean of the returns of the odd-numbered episodes that are at or below the threshold
 *
 * Every simulator counts alike, however many episodes it has. Chosen and reported on different episodes, because the
 * lowest of a noisy sample is too low: the mean of the worst tenth of E episodes says as much about E as about the policy.
 *
 * @param returns shape [S][E]: in units of return, episode e under the same seed in each simulator
 * @returns at most the mean of the odd-numbered episodes; NaN where none of these is at or below the threshold
 * @source ours, after the CVaR evaluation of SFL (Rutherford et al., arXiv 2408.15099), which chooses among simulators
 */
export function tailReturn(returns: readonly (readonly number[])[]): number {
  const threshold = lowerQuantile(everySecond(returns, 0), TAIL_SHARE);
  const tail = everySecond(returns, 1).filter(({ value }) => value <= threshold);
  const total = tail.reduce((sum, { weight }) => sum + weight, 0);
  return tail.reduce((sum, { value, weight }) => sum + weight * value, 0) / total;
}

/** The episodes `first`, `first` + 2, … of every simulator, the weights of each simulator summing to 1. */
function everySecond(returns: readonly (readonly number[])[], first: 0 | 1): WeightedReturn[] {
  return returns.flatMap((episodes) => {
    const chosen = episodes.filter((_, episode) => episode % 2 === first);
    return chosen.map((value) => ({ value, weight: 1 / chosen.length }));
  });
}

/** The least of the values such that the values up to it have at least the given share of the weight; NaN of nothing. */
function lowerQuantile(values: readonly WeightedReturn[], share: number): number {
  const needed = share * values.reduce((sum, { weight }) => sum + weight, 0) - ROUNDING;
  const ascending = [...values].sort((left, right) => left.value - right.value);
  let reached = 0;
  for (const { value, weight } of ascending) {
    reached += weight;
    if (reached >= needed) return value;
  }
  return NaN;
}
