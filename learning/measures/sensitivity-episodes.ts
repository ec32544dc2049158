/** Episodes of one change, all simulators of the pool together: a large pool is asked as much as a small one. */
const EPISODES_OF_CHANGE_MAX = 400;
const EPISODES_OF_SIMULATOR_MIN = 10;

/**
 * Episodes that are played on each simulator of a pool with one thing changed: those of an evaluation, or as many fewer
 * as keep them within 400 on all, but never fewer than 10 unless an evaluation has fewer itself.
 * @param episodes of an evaluation
 */
export function sensitivityEpisodes(episodes: number, simulatorCount: number): number {
  return Math.min(episodes, Math.max(EPISODES_OF_SIMULATOR_MIN, Math.floor(EPISODES_OF_CHANGE_MAX / simulatorCount)));
}

/**
 * Most that one change plays on a whole pool, of any size up to the largest: min(P·E, max(400, 10·P)).
 * @param episodes E, of an evaluation
 * @param simulatorsMax P
 */
export function changeEpisodesMax(episodes: number, simulatorsMax: number): number {
  return Math.min(
    simulatorsMax * episodes,
    Math.max(EPISODES_OF_CHANGE_MAX, simulatorsMax * EPISODES_OF_SIMULATOR_MIN),
  );
}
