import { foldIn, type Key, PURPOSE } from '../../simulators/random.ts';

/** What names an episode of a training round. */
export interface EpisodePlace {
  readonly environment: number;
  /** Episodes that the environment played before in the round. */
  readonly episode: number;
  /** Neighbouring environments that start alike; 1 for none. */
  readonly groupSize: number;
}

export interface EpisodeKeys {
  /** Of the simulator, its draws, the start state and all chance within the world. */
  readonly start: Key;
  /** Of the actions. */
  readonly actions: Key;
}

/**
 * The keys of an episode. The environments of a group, ⌊environment / groupSize⌋, share the first and not the second;
 * where the last group is smaller, nothing changes for it.
 */
export function episodeKeys(roundKey: Key, { environment, episode, groupSize }: EpisodePlace): EpisodeKeys {
  const own = foldIn(foldIn(roundKey, environment), episode);
  const start = groupSize === 1 ? own : foldIn(foldIn(roundKey, Math.floor(environment / groupSize)), episode);
  return { start, actions: foldIn(own, PURPOSE.actionSampling) };
}
