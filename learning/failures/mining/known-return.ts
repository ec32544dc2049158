import { mean, sampleStandardDeviation } from '../../statistics/moments.ts';
import type { MinedSimulator } from '../contract.ts';

// Letters: E episodes of a simulator, r return of the random policy, R_known of the best known one.

/** The returns of somebody who played a simulator's episodes, shape [E]. */
export interface Contender {
  readonly by: MinedSimulator['knownBy'];
  readonly returns: readonly number[];
}

/** What an episode of a simulator is held against. */
export type Yardstick = Pick<MinedSimulator, 'randomMean' | 'knownMean' | 'knownBy' | 'isImpossible'>;

/** How many standard errors the best known policy must be better than chance. */
const ERRORS_MIN = 2;

/**
 * The best of what is known of a simulator, the first of equal ones. A simulator is impossible where
 *
 *     mean of d ≤ 2 · std(d) / √E,  d_e = R_known,e − r_e
 *
 * Episodes are paired: episode e of everybody starts alike and has the same chance. One episode alone shows nothing.
 * @param others who played the same episodes, beside the random policy
 */
export function yardstickOf(random: readonly number[], others: readonly Contender[]): Yardstick {
  const contenders: Contender[] = [{ by: 'random', returns: random }, ...others];
  const best = contenders.reduce((one, other) => (mean(other.returns) > mean(one.returns) ? other : one));
  const gains = best.returns.map((known, episode) => known - random[episode]!);
  const standardError = sampleStandardDeviation(gains) / Math.sqrt(gains.length);
  return {
    randomMean: mean(random),
    knownMean: mean(best.returns),
    knownBy: best.by,
    isImpossible: !(mean(gains) > ERRORS_MIN * standardError),
  };
}

/** (R − r) / (R_known − r): 0 as chance, 1 as the best known policy. */
export function normalizedScore(
  episodeReturn: number,
  { randomMean, knownMean }: Pick<Yardstick, 'randomMean' | 'knownMean'>,
): number {
  return (episodeReturn - randomMean) / (knownMean - randomMean);
}
