import type { TracedEpisode } from './traced-episode.ts';

/**
 * How much worse an episode went than the critic had expected, with means over the learners present:
 *
 *     V(s_0) − Σ_t γᵗ r_t − γᵀ V(s_T),  V(s_T) = 0 at a termination
 *
 * @param gamma discount per step that the critic learnt with
 */
export function shortfallOf({ rewards, values }: Pick<TracedEpisode, 'rewards' | 'values'>, gamma: number): number {
  let discount = 1;
  let discountedReturn = 0;
  for (const reward of rewards) {
    discountedReturn += discount * reward;
    discount *= gamma;
  }
  return values[0]! - discountedReturn - discount * values[rewards.length]!;
}
