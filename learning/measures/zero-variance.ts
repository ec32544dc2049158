import type { EpisodeOutcome } from '../rollout/episode-tally.ts';

/** Returns of a group are equal when they lie within this share of what was gained over random. */
const TOLERANCE = 1e-6;

/**
 * The share of groups of episodes that all end alike although their actions were drawn apart: nothing can be learnt from
 * comparing them. In [0, 1].
 *
 * Alike is equal in success where the family has success, and otherwise in return, within 1e−6 of R − r. Success alone
 * decides where there is one, because returns made of distances never are equal: judged by them the share would be 0
 * until the policy is deterministic. So where nobody ever succeeds, or everybody does, it is 1 and says no more than that.
 *
 * @param groups each of episodes that start alike
 * @param options.gain R − r, in units of return
 * @source the share of groups without a variance of rewards, an early sign in arXiv 2608.12253
 */
export function zeroVarianceShare(
  groups: readonly (readonly EpisodeOutcome[])[],
  { hasSuccess, gain }: { hasSuccess: boolean; gain: number },
): number {
  const alike = groups.filter((episodes) => {
    const values = episodes.map((episode) => (hasSuccess ? Number(episode.success) : episode.return));
    const spread = Math.max(...values) - Math.min(...values);
    return spread === 0 || (!hasSuccess && spread <= TOLERANCE * Math.abs(gain));
  });
  return alike.length / groups.length;
}
