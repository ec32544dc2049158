import type { World } from '../../../simulators/contract.ts';
import type { Key } from '../../../simulators/random.ts';
import type { NamedSimulator } from '../../strategies/contract.ts';
import type { Failure } from '../contract.ts';
import { keyMomentOf } from './key-moment.ts';
import type { ScoredEpisode } from './select-failures.ts';
import { numbersOfStart } from './start-numbers.ts';
import type { TracedEpisode } from './traced-episode.ts';

/** An episode that went badly, which is of no group yet. */
export type LoneFailure = Omit<Failure, 'group' | 'isMedoid'>;

interface FailedEpisode extends Pick<ScoredEpisode, 'episode' | 'score'> {
  readonly named: NamedSimulator;
  readonly key: Key;
  readonly traced: TracedEpisode;
}

/** All that is needed to play an episode again, and what stood near when it went wrong. */
export function describeFailure(world: World, { named, key, episode, score, traced }: FailedEpisode): LoneFailure {
  const { actions, rewards, values, features, states } = traced;
  const { name, simulator } = named;
  const keyMoment = keyMomentOf(values);
  return {
    name,
    simulator,
    episode,
    key,
    return: traced.return,
    score,
    keyMoment,
    features: features[keyMoment]!,
    actions,
    rewards,
    values,
    states: states.map((state) => numbersOfStart(world, simulator, state)),
  };
}
