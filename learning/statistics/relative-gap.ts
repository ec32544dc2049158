/** What one run gained over the random policy, in units of return. */
export interface Gains {
  /** Return on the train panel minus that of the random policy. */
  readonly train: number;
  /** The same on the test panel. */
  readonly heldout: number;
}

/**
 * The share of what a variant learnt over random that is lost on held-out simulators, over all its seeds:
 *
 *   1 − Σ heldout gain / Σ train gain
 *
 * The sums, and not the mean of the ratios of runs: a run that learnt next to nothing has a ratio of any size, and must
 * not outweigh the others. NaN when the runs together gained nothing in training, or when there is none.
 */
export function pooledRelativeGap(runs: readonly Gains[]): number {
  let train = 0;
  let heldout = 0;
  for (const run of runs) {
    train += run.train;
    heldout += run.heldout;
  }
  return train > 0 ? 1 - heldout / train : NaN;
}
