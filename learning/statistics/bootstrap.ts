import { keyFrom, PURPOSE, RandomStream } from '../../simulators/random.ts';
import { ThawError } from '../../schemas/errors.ts';

/** Below so many values no interval is given: the points say more. */
export const INTERVAL_VALUES_MIN = 5;
const RESAMPLES = 50_000;

export type Interval = readonly [low: number, high: number];

export interface BootstrapOptions<Item> {
  /** What is resampled, by stratum: each stratum is resampled within itself and keeps its size. */
  readonly strata: readonly (readonly Item[])[];
  /** The quantity of one resample, all strata in one list and in order. */
  readonly statistic: (items: readonly Item[]) => number;
  /** Probability that the interval holds the quantity. */
  readonly confidence?: number;
  readonly resamples?: number;
  /** Names the stream of random numbers: the same seed gives the same interval. */
  readonly seed?: number;
}

/**
 * Percentile interval of a stratified bootstrap: the quantiles (1 ∓ confidence)/2 of the statistic over resamples drawn
 * with replacement, with linear interpolation between order statistics. Its ends are NaN when the statistic of some
 * resample is.
 *
 * @returns null when some stratum has fewer than five items
 * @source Efron, Tibshirani: An Introduction to the Bootstrap (1993), chapter 13
 */
export function bootstrapInterval<Item>(options: BootstrapOptions<Item>): Interval | null {
  const { strata, statistic, confidence = 0.95, resamples = RESAMPLES, seed = 0 } = options;
  if (confidence <= 0 || confidence >= 1) {
    throw new ThawError('DEFECT_INVARIANT', `a confidence is between 0 and 1, not ${confidence}`);
  }
  if (strata.length === 0 || strata.some((stratum) => stratum.length < INTERVAL_VALUES_MIN)) return null;
  const random = new RandomStream(keyFrom(seed, PURPOSE.bootstrap));
  const resample = strata.flat();
  const estimates = new Float64Array(resamples);
  for (let index = 0; index < resamples; index += 1) {
    fillResample(resample, strata, random);
    estimates[index] = statistic(resample);
  }
  if (estimates.some(Number.isNaN)) return [NaN, NaN];
  estimates.sort();
  return [quantile(estimates, (1 - confidence) / 2), quantile(estimates, (1 + confidence) / 2)];
}

function fillResample<Item>(resample: Item[], strata: readonly (readonly Item[])[], random: RandomStream): void {
  let target = 0;
  for (const stratum of strata) {
    for (let drawn = 0; drawn < stratum.length; drawn += 1) {
      resample[target] = stratum[random.nextInteger(stratum.length)]!;
      target += 1;
    }
  }
}

/**
 * Quantile by linear interpolation between order statistics, as NumPy's default.
 *
 * @param sorted ascending, not empty
 * @param share in [0, 1]
 */
export function quantile(sorted: Float64Array, share: number): number {
  const position = share * (sorted.length - 1);
  const below = Math.floor(position);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (high - low) * (position - below);
}
