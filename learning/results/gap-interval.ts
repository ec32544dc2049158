import { canResample, percentileInterval, type Interval, type IntervalOptions } from '../statistics/bootstrap.ts';
import type { Gains } from '../statistics/relative-gap.ts';
import { resamplesOf } from '../statistics/resamples.ts';

/**
 * 95 % percentile interval of `pooledRelativeGap` by a bootstrap over runs: what `bootstrapInterval` gives, in a fifth of the time,
 * because nothing is made for a resample. Its ends are NaN when the runs of some resample together gained nothing.
 *
 * @returns null below five runs
 */
export function gapInterval(
  runs: readonly Gains[],
  { confidence, resamples, seed }: IntervalOptions = {},
): Interval | null {
  if (!canResample([runs])) return null;
  const { count, size, draws } = resamplesOf({ sizes: [runs.length], resamples, seed });
  const trainGains = Float64Array.from(runs, ({ train }) => train);
  const heldoutGains = Float64Array.from(runs, ({ heldout }) => heldout);
  const estimates = new Float64Array(count);
  for (let resample = 0; resample < count; resample += 1) {
    let train = 0;
    let heldout = 0;
    const end = (resample + 1) * size;
    for (let draw = resample * size; draw < end; draw += 1) {
      const run = draws[draw]!;
      train += trainGains[run]!;
      heldout += heldoutGains[run]!;
    }
    estimates[resample] = train > 0 ? 1 - heldout / train : NaN;
  }
  return percentileInterval(estimates, confidence);
}
