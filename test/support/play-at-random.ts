import { numbersOfStart } from '../../learning/failures/mining/start-numbers.ts';
import { actionHead } from '../../learning/rollout/action-head.ts';
import { presentLearners } from '../../learning/rollout/driven-seats.ts';
import { createActions } from '../../simulators/actions.ts';
import type { ActionArray, Batch, SimulatorData, World } from '../../simulators/contract.ts';
import { foldIn, type Key, keyFrom, PURPOSE, RandomStream } from '../../simulators/random.ts';

// Letters: T steps of an episode, N seats, W numbers of an action, F state features, S numbers of a state.

/** One episode in which everybody who is driven from outside acts at random. */
export interface PlayedEpisode {
  readonly key: Key;
  /** Shape [T][N W]: scripted seats included. */
  readonly actions: number[][];
  /** Shape [T]: mean over the learners present. */
  readonly rewards: number[];
  /** Shape [T+1 S]: the numbers of the state at the paths of a start. */
  readonly states: number[][];
  /** Shape [T+1 N F], a row for each step. */
  readonly features: number[][];
  readonly success: boolean;
}

export interface PlayAtRandom {
  readonly learners: readonly number[];
  readonly key: Key;
}

export function playAtRandom(world: World, simulator: SimulatorData, options: PlayAtRandom): PlayedEpisode {
  const { key } = options;
  const batch = world.createBatch(1);
  batch.reset(0, world.compile(simulator), key);
  const random = new RandomStream(foldIn(key, PURPOSE.actionSampling));
  const present = presentLearners(options.learners, simulator);
  const rewarded = present.length > 0 ? present : options.learners;
  const actions: number[][] = [];
  const rewards: number[] = [];
  const states = [numbersOfStart(world, simulator, batch.state(0))];
  const features = [featureNumbers(world, batch)];
  while (batch.ended[0] === 0 && batch.truncated[0] === 0) {
    void batch.step(randomActions(world, random));
    actions.push(Array.from(batch.actions));
    rewards.push(rewarded.reduce((sum, seat) => sum + batch.rewards[seat]!, 0) / rewarded.length);
    states.push(numbersOfStart(world, simulator, batch.state(0)));
    features.push(featureNumbers(world, batch));
  }
  return { key, actions, rewards, states, features, success: batch.success[0] === 1 };
}

/** The key of an episode of a simulator. */
export function episodeKey(seed: number, simulator: number, episode: number): Key {
  return keyFrom(seed, PURPOSE.mining, simulator, episode);
}

function randomActions(world: World, random: RandomStream): ActionArray {
  const actions = createActions(world, 1);
  for (const group of world.groups) {
    for (const seat of group.seats) {
      const head = actionHead(group.actions);
      head.any(random, actions, seat * head.actionSize);
    }
  }
  return actions;
}

function featureNumbers(world: World, batch: Batch): number[] {
  const out = new Float64Array(world.seatCount * world.features.length);
  batch.observeFeatures(out);
  return Array.from(out);
}
