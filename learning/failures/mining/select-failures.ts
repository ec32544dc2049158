import type { RandomStream } from '../../../simulators/random.ts';
import type { MiningPlan } from '../contract.ts';

/** An episode that may be a failure. */
export interface ScoredEpisode {
  /** Its simulator's place among the mined ones. */
  readonly position: number;
  /** Its place among the simulator's episodes. */
  readonly episode: number;
  readonly score: number;
}

/**
 * The episodes that are failures, the worst first, ties by simulator and episode.
 *
 * `lowest`: the ⌈share · n⌉ of the lowest score, and of one simulator no more than the worst `perSimulatorMax` of them:
 * what is left out is not made up for, because it would no longer be among the lowest. `random`: as many, drawn from all,
 * with the same limit for each simulator.
 * @param episodes all of the simulators that something can be learnt from
 */
export function selectFailures<Episode extends ScoredEpisode>(
  episodes: readonly Episode[],
  { select, share, perSimulatorMax }: Pick<MiningPlan, 'select' | 'share' | 'perSimulatorMax'>,
  random: RandomStream,
): Episode[] {
  const worstFirst = episodes.toSorted(compareEpisodes);
  const lowest = worstFirst.slice(0, Math.ceil(share * episodes.length));
  const failures = limited(lowest, perSimulatorMax);
  if (select === 'lowest') return failures;
  const order = Int32Array.from(worstFirst.keys());
  random.shuffle(order);
  const shuffled = Array.from(order, (index) => worstFirst[index]!);
  return limited(shuffled, perSimulatorMax).slice(0, failures.length).sort(compareEpisodes);
}

/** The first of each simulator, at most so many. */
function limited<Episode extends ScoredEpisode>(episodes: readonly Episode[], perSimulatorMax: number): Episode[] {
  const counts = new Map<number, number>();
  return episodes.filter(({ position }) => {
    const count = counts.get(position) ?? 0;
    counts.set(position, count + 1);
    return count < perSimulatorMax;
  });
}

function compareEpisodes(one: ScoredEpisode, other: ScoredEpisode): number {
  return one.score - other.score || one.position - other.position || one.episode - other.episode;
}
