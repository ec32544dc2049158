import { keyFrom, PURPOSE, RandomStream } from '../../simulators/random.ts';

// Letters: n items of all strata together, B resamples.

const RESAMPLES = 50_000;
const RESAMPLES_MIN = 2_000;
/**
 * Draws of one interval at most. With 50 000 resamples an end of a 95 % interval is off by 0.3 % of its width from chance alone
 * (standard error), with 10 000 by 0.7 %, with 2 000 by 1.5 %; what matters to a reader is the tenth. So 100 runs and fewer
 * have all 50 000, and more runs do not take more time.
 */
const DRAWS_MAX = 5_000_000;

/** How many resamples an interval over so many items is made of, where nothing else is asked for. */
export function resampleCount(itemCount: number): number {
  return Math.max(RESAMPLES_MIN, Math.min(RESAMPLES, Math.floor(DRAWS_MAX / Math.max(1, itemCount))));
}

export interface ResampleOptions {
  /** Items of each stratum; each is resampled within itself and keeps its size. Items are numbered through all strata. */
  readonly sizes: readonly number[];
  /** B; as many as `resampleCount` says when left out. */
  readonly resamples?: number | undefined;
  /** Names the stream of random numbers: the same seed gives the same resamples. */
  readonly seed?: number | undefined;
  /** Resamples that are independent of one another have different streams. */
  readonly stream?: number;
}

/** The items of all resamples: those of resample b are `draws[b·n]` … `draws[b·n + n − 1]`, stratum after stratum. */
export interface Resamples {
  readonly count: number;
  /** n */
  readonly size: number;
  readonly draws: Uint16Array | Uint32Array;
}

/** Draws that are kept for the next interval, 20 MB of them; two streams of the largest set fit. */
const DRAWS_KEPT_MAX = 2 * DRAWS_MAX;
/** By what they depend on, the oldest first. */
const kept = new Map<string, Resamples>();

/**
 * Resamples with replacement. They depend on nothing but the options, and the last ones are kept: the variants of an experiment
 * have equally many runs, and drawing takes longer than what is done with the draws.
 */
export function resamplesOf({ sizes, resamples, seed = 0, stream = 0 }: ResampleOptions): Resamples {
  const size = sizes.reduce((sum, each) => sum + each, 0);
  const count = resamples ?? resampleCount(size);
  const key = `${seed}:${stream}:${count}:${sizes.join(',')}`;
  const found = kept.get(key);
  if (found !== undefined) return found;
  const drawn = { count, size, draws: drawAll(sizes, { size, count, seed, stream }) };
  keep(key, drawn);
  return drawn;
}

function keep(key: string, resamples: Resamples): void {
  kept.set(key, resamples);
  let total = [...kept.values()].reduce((sum, { draws }) => sum + draws.length, 0);
  for (const [oldest, { draws }] of kept) {
    if (total <= DRAWS_KEPT_MAX) break;
    kept.delete(oldest);
    total -= draws.length;
  }
}

function drawAll(
  sizes: readonly number[],
  { size, count, seed, stream }: { size: number; count: number; seed: number; stream: number },
): Resamples['draws'] {
  const parts = stream === 0 ? [seed, PURPOSE.bootstrap] : [seed, PURPOSE.bootstrap, stream];
  const random = new RandomStream(keyFrom(...parts));
  const draws = size <= 2 ** 16 ? new Uint16Array(count * size) : new Uint32Array(count * size);
  let target = 0;
  for (let resample = 0; resample < count; resample += 1) {
    let first = 0;
    for (const stratumSize of sizes) {
      for (let drawn = 0; drawn < stratumSize; drawn += 1) {
        draws[target] = first + random.nextInteger(stratumSize);
        target += 1;
      }
      first += stratumSize;
    }
  }
  return draws;
}
