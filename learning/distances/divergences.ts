// Letters: K bins of a histogram, E episodes.

/** A histogram of counts, or a part of a longer array that holds one. */
export type Counts = ArrayLike<number>;

/**
 * Jensen–Shannon divergence to the base 2 between the distributions of two histograms.
 *
 *     ½ Σ p log₂(p / m) + ½ Σ q log₂(q / m),  m = (p + q) / 2
 *
 * @param p, q shape [≥ first + K]: counts, at least 0; each sums to more than 0 over its K bins
 * @returns in [0, 1]: 0 for equal distributions, 1 for those that share no bin; NaN when a histogram is empty
 * @source Lin: Divergence Measures Based on the Shannon Entropy (IEEE Transactions on Information Theory 37, 1991)
 */
export function jensenShannon(p: Counts, q: Counts, first = 0, binCount = p.length): number {
  const totalP = sumOf(p, first, binCount);
  const totalQ = sumOf(q, first, binCount);
  let divergence = 0;
  for (let bin = first; bin < first + binCount; bin += 1) {
    const shareP = p[bin]! / totalP;
    const shareQ = q[bin]! / totalQ;
    if (shareP === shareQ) continue;
    const middle = (shareP + shareQ) / 2;
    // Both terms at once, so that exchanging the histograms changes no bit.
    divergence +=
      (shareP === 0 ? 0 : shareP * Math.log(shareP / middle)) + (shareQ === 0 ? 0 : shareQ * Math.log(shareQ / middle));
  }
  // Rounding may leave the interval by some 1e−16.
  return Math.min(1, Math.max(0, divergence / (2 * Math.LN2)));
}

/**
 * Symmetric Kullback–Leibler divergence in nats between the distributions of two histograms, each bin's count raised by
 * one, so that a bin which one of them never saw does not make it infinite.
 *
 *     Σ (p − q) log(p / q),  p = (countsP + 1) / (Σ countsP + K), q likewise
 *
 * @param p, q shape [≥ first + K]: counts, at least 0
 * @returns at least 0; 0 for equal histograms
 * @source Kullback, Leibler: On Information and Sufficiency (Annals of Mathematical Statistics 22, 1951), their J(1, 2);
 *   the smoothing is Laplace's
 */
export function symmetricKl(p: Counts, q: Counts, first = 0, binCount = p.length): number {
  const totalP = sumOf(p, first, binCount) + binCount;
  const totalQ = sumOf(q, first, binCount) + binCount;
  let divergence = 0;
  for (let bin = first; bin < first + binCount; bin += 1) {
    const shareP = (p[bin]! + 1) / totalP;
    const shareQ = (q[bin]! + 1) / totalQ;
    divergence += (shareP - shareQ) * Math.log(shareP / shareQ);
  }
  return divergence;
}

/**
 * 1-Wasserstein distance between two samples of equal size: the mean distance between their sorted values.
 * @param a, b shape [E], ascending
 * @returns at least 0, in units of the values
 */
export function wasserstein(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += Math.abs(a[index]! - b[index]!);
  return sum / a.length;
}

/**
 * The same in units of the pooled standard deviation √((Var a + Var b) / 2), n − 1 each. Two constants are 0 apart when
 * equal and otherwise infinitely far, since no spread hides their difference.
 * @param a, b shape [E], E ≥ 2, ascending
 */
export function standardizedWasserstein(a: Float64Array, b: Float64Array): number {
  const distance = wasserstein(a, b);
  return distance === 0 ? 0 : distance / Math.sqrt((variance(a) + variance(b)) / 2);
}

function variance(values: Float64Array): number {
  // Not the mean of all: rounding in it would give constants a variance, and so a finite distance.
  const origin = values[0]!;
  let sum = 0;
  let squares = 0;
  for (const value of values) {
    sum += value - origin;
    squares += (value - origin) ** 2;
  }
  return Math.max(0, squares - (sum * sum) / values.length) / (values.length - 1);
}

function sumOf(counts: Counts, first: number, binCount: number): number {
  let sum = 0;
  for (let bin = first; bin < first + binCount; bin += 1) sum += counts[bin]!;
  return sum;
}
