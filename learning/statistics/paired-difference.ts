import { mean } from './moments.ts';
import { bootstrapInterval, type Interval } from './bootstrap.ts';
import { signFlipPValue } from './sign-flip.ts';

/** By how much a variant differs from another under the same seeds. */
export interface PairedDifference {
  /** Seeds that have a value in both. */
  readonly n: number;
  /** NaN of no pair, and where the value of some pair is NaN. */
  readonly mean: number;
  /** 95 % interval of the mean over the seeds; null below five pairs. */
  readonly interval: Interval | null;
  /** Of the sign-flip test, two-sided, for this one difference; null where that has none. */
  readonly pValue: number | null;
}

/**
 * The mean difference of two variants over the seeds they share:
 *
 *   1/n · Σ_s (first_s − second_s)
 *
 * A seed fixes the initial weights, the starts and every draw, so what a seed does to both variants cancels in its
 * difference. Whole pairs are resampled. A seed that one of the two lacks says nothing about the difference, and is left
 * out.
 *
 * @param first values of one variant by seed
 * @param second values of the variant that is subtracted, by seed
 */
export function pairedDifference(
  first: ReadonlyMap<number, number>,
  second: ReadonlyMap<number, number>,
): PairedDifference {
  const differences = pairedDifferences(first, second);
  return {
    n: differences.length,
    mean: mean(differences),
    interval: bootstrapInterval({ strata: [differences], statistic: mean }),
    pValue: signFlipPValue(differences),
  };
}

/**
 * first − second of every seed that both have, in the order of the seeds: neither a sum nor a resample may depend on which run
 * was read first. A difference of equal infinities is NaN, as one with NaN is.
 */
export function pairedDifferences(first: ReadonlyMap<number, number>, second: ReadonlyMap<number, number>): number[] {
  const seeds = [...first.keys()].filter((seed) => second.has(seed)).sort((a, b) => a - b);
  return seeds.map((seed) => first.get(seed)! - second.get(seed)!);
}
