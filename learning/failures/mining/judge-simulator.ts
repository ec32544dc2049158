import { mean } from '../../statistics/moments.ts';
import type { NamedSimulator } from '../../strategies/contract.ts';
import type { MinedSimulator } from '../contract.ts';
import { type Contender, normalizedScore, type Yardstick, yardstickOf } from './known-return.ts';
import type { Played } from './play-everybody.ts';
import type { ScoredEpisode } from './select-failures.ts';
import type { TracedEpisode } from './traced-episode.ts';

// Letters: E episodes of a simulator.

/** One simulator with the policy's episodes and what they are held against. */
export interface Judged extends NamedSimulator {
  readonly episodes: readonly TracedEpisode[];
  readonly yardstick: Yardstick;
}

/**
 * @param position place of the simulator among those that were played
 * @param earlier returns of the run's policy in the same episodes at earlier minings, each of shape [E]
 */
export function judgeSimulator(
  named: NamedSimulator,
  position: number,
  { policy, random, scripted }: Played,
  earlier: readonly (readonly number[])[],
): Judged {
  const contenders: Contender[] = [
    { by: 'scripted', returns: returnsOf(scripted[position]!) },
    // Beside purposeful partners a scripted reference may be no better than chance where a policy has learnt to be.
    { by: 'current', returns: returnsOf(policy[position]!) },
    ...earlier.map((returns): Contender => ({ by: 'earlier', returns })),
  ];
  const yardstick = yardstickOf(returnsOf(random[position]!), contenders);
  return { ...named, episodes: policy[position]!, yardstick };
}

/** Nothing can be learnt from what is impossible, so nothing there may be a failure. */
export function scoredEpisodes({ episodes, yardstick }: Judged, position: number): ScoredEpisode[] {
  if (yardstick.isImpossible) return [];
  return episodes.map((played, episode) => ({
    position,
    episode,
    score: normalizedScore(played.return, yardstick),
  }));
}

export function minedSimulator({ name, simulator, episodes, yardstick }: Judged): MinedSimulator {
  return { name, simulator, episodes: episodes.length, returnMean: mean(returnsOf(episodes)), ...yardstick };
}

function returnsOf(episodes: readonly TracedEpisode[]): number[] {
  return episodes.map((episode) => episode.return);
}
