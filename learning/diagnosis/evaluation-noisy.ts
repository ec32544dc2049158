import { mean, sampleStandardDeviation } from '../statistics/moments.ts';
import { unknown, type Finding, type KnownProblem } from './contract.ts';
import { figure, percent } from './figures.ts';
import type { EvaluatedRound, RunHistory, VariantHistory } from './history.ts';

/** From half on, chance moves the curve more than the policy does. */
const NOISE_SHARE_MAX = 0.5;
/** A standard deviation of fewer values says nothing. */
const CHANGES_MIN = 4;

/** Held-out returns jump between evaluations because there are too few episodes, and not because the policy changes. */
export const evaluationNoisy: KnownProblem = {
  id: 'evaluation_noisy',
  sign: 'the held-out return jumps between evaluations',
  remedy: 'Play more episodes in each evaluation (evaluation.episodes), always under the same seed (evaluation.seed).',
  examine,
};

/** How the held-out return changed from one evaluation to the next. */
interface Change {
  readonly change: number;
  /** Of the change, over episodes that start alike. */
  readonly standardError: number;
}

/**
 * Jumps are noise when most of their variance is that of a mean over so few episodes:
 *
 *     noise share = mean(SE²) / Var(change), with the variance over neighbouring evaluations of all runs
 *
 * and they matter when they are as large as the gap that a verdict is about: std(change) > watch · train gain. The change
 * from the untrained policy is left out: it is learning.
 */
function examine({ runs, verdictLimits }: VariantHistory): Finding {
  const changes = runs.flatMap(changesOf);
  if (changes.length < CHANGES_MIN) {
    return unknown(
      `Only ${changes.length} neighbouring held-out evaluations of trained policies can be compared; it takes ${CHANGES_MIN}.`,
    );
  }
  const gains = runs.flatMap(({ last }) => (last === null || last.trainGain === null ? [] : [last.trainGain]));
  const gain = gains.length === 0 ? NaN : mean(gains);
  const jump = sampleStandardDeviation(changes.map(({ change }) => change));
  const noise = Math.sqrt(mean(changes.map(({ standardError }) => standardError ** 2)));
  // A curve that never moves holds no noise either.
  const share = jump === 0 ? 0 : Math.min(1, (noise / jump) ** 2);
  const evidence = [
    {
      what: 'standard deviation of the change between neighbouring evaluations',
      value: jump,
      unit: 'return',
      limit: verdictLimits.watch * gain,
    },
    { what: 'standard error of such a change, over episodes', value: noise, unit: 'return' },
    { what: 'share of the variance of the changes that is chance', value: share, unit: '', limit: NOISE_SHARE_MAX },
    { what: 'changes compared', value: changes.length, unit: 'pairs' },
    { what: 'same episode seeds in every evaluation', value: 'yes', unit: '' },
  ];
  if (!(gain > 0))
    return unknown('No run has learnt more than a random policy knows, so jumps have no scale.', evidence);
  const matters = jump > verdictLimits.watch * gain;
  const size = `Between evaluations the held-out return moves by ${figure(jump)} (${percent(jump / gain)} of what was learnt)`;
  return {
    found: matters && share >= NOISE_SHARE_MAX ? 'yes' : 'no',
    headline: `${size}; ${percent(share)} of that is chance of too few episodes.`,
    evidence,
  };
}

function changesOf({ evaluations }: RunHistory): Change[] {
  const trained = evaluations.filter(({ round, heldoutEpisodes }) => round > 0 && heldoutEpisodes.length > 0);
  return trained.slice(1).map((later, index) => changeBetween(trained[index]!, later));
}

/** Panels are equal in both: the held-out simulators of a run never change. */
function changeBetween(earlier: EvaluatedRound, later: EvaluatedRound): Change {
  const episodeCount = Math.min(...[...earlier.heldoutEpisodes, ...later.heldoutEpisodes].map(({ length }) => length));
  const differences = Array.from({ length: episodeCount }, (_, episode) =>
    mean(
      later.heldoutEpisodes.map(
        (returns, simulator) => returns[episode]! - earlier.heldoutEpisodes[simulator]![episode]!,
      ),
    ),
  );
  return { change: mean(differences), standardError: sampleStandardDeviation(differences) / Math.sqrt(episodeCount) };
}
