import type { EpisodeSummary } from './episode-tally.ts';
import type { EpisodeScores } from '../strategies/contract.ts';

type ScoredSummary = EpisodeSummary & { readonly scores: EpisodeScores | null };

/**
 * The summary of episodes that were summed up in parts, as if they had been counted together. Means are weighted by
 * episodes; the variance is that within the parts and that between their means. Parts without episodes say nothing.
 *
 * @source Chan, Golub, LeVeque: Algorithms for Computing the Sample Variance (1983), for any number of parts
 */
export function mergeSummaries(parts: readonly ScoredSummary[]): ScoredSummary {
  const played = parts.filter(({ episodes }) => episodes > 0);
  const episodes = played.reduce((sum, part) => sum + part.episodes, 0);
  const meanOf = (value: (part: ScoredSummary) => number): number =>
    episodes === 0 ? NaN : played.reduce((sum, part) => sum + part.episodes * value(part), 0) / episodes;
  const returnMean = meanOf((part) => part.returnMean);
  const squares = played.reduce((sum, part) => {
    const within = part.episodes < 2 ? 0 : (part.episodes - 1) * part.returnStd ** 2;
    return sum + within + part.episodes * (part.returnMean - returnMean) ** 2;
  }, 0);
  return {
    episodes,
    returnMean,
    returnStd: episodes < 2 ? NaN : Math.sqrt(squares / (episodes - 1)),
    lengthMean: meanOf((part) => part.lengthMean),
    successRate: meanOf((part) => part.successRate),
    scores: played.every(({ scores }) => scores !== null) ? mergedScores(played, meanOf) : null,
  };
}

/** @param played parts that all have scores */
function mergedScores(
  played: readonly ScoredSummary[],
  meanOf: (value: (part: ScoredSummary) => number) => number,
): EpisodeScores {
  return {
    positiveValueLoss: meanOf(({ scores }) => scores!.positiveValueLoss),
    valueMean: meanOf(({ scores }) => scores!.valueMean),
    discountedReturnMax:
      played.length === 0 ? NaN : Math.max(...played.map(({ scores }) => scores!.discountedReturnMax)),
    shortfall: meanOf(({ scores }) => scores!.shortfall),
  };
}
