import { describe, expect, it } from 'vitest';
import { createActions } from '../../simulators/actions.ts';
import type { ActionArray, Batch, World } from '../../simulators/contract.ts';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import { FAMILIES } from '../../simulators/registry.ts';
import { simulatorOf } from '../../test/support/small-learning.ts';
import { actionHead } from './action-head.ts';
import { JointObserver, jointSizeOf } from './joint-observer.ts';

const ENVIRONMENTS = 3;
const STEPS = 4;

/**
 * A batch whose environments hold the given episodes of the plain simulator, a few random steps from their start: there are
 * worlds in which all episodes begin alike.
 */
function batchOf(world: World, episodes: readonly number[]): Batch {
  const batch = world.createBatch(episodes.length);
  const parameters = world.compile(simulatorOf(world));
  const actions = createActions(world, episodes.length);
  const randoms = episodes.map((episode) => new RandomStream(keyFrom(episode, 1)));
  episodes.forEach((episode, environment) => batch.reset(environment, parameters, keyFrom(episode)));
  for (let step = 0; step < STEPS; step += 1) {
    randoms.forEach((random, environment) => drawActions(world, random, actions, environment));
    void batch.step(actions);
  }
  return batch;
}

function drawActions(world: World, random: RandomStream, actions: ActionArray, environment: number): void {
  for (const { seats, actions: space } of world.groups) {
    const head = actionHead(space);
    for (const seat of seats) head.any(random, actions, (environment * world.seatCount + seat) * head.actionSize);
  }
}

/** What the seats of a single environment see, group by group. */
function observationsOf(world: World, batch: Batch): number[] {
  return world.groups.flatMap(({ seats, observationSize }, group) => {
    const observations = new Float32Array(seats.length * observationSize);
    batch.observe(group, observations);
    return [...observations];
  });
}

describe.each(Object.values(FAMILIES))('what all seats of $name see together', (family) => {
  const world = family.open(family.optionsSchema.parse({}));
  const episodes = Array.from({ length: ENVIRONMENTS }, (_, episode) => episode);

  it('is what each group sees in an environment of its own, put together', () => {
    const size = jointSizeOf(world);
    const joint = new Float32Array(ENVIRONMENTS * size).fill(NaN);
    new JointObserver(world, ENVIRONMENTS).observe(batchOf(world, episodes), joint);
    const alone = episodes.map((episode) => observationsOf(world, batchOf(world, [episode])));
    expect([...joint]).toEqual(alone.flat());
    expect(new Set(alone.map((each) => each.join())).size).toBe(ENVIRONMENTS);
  });

  it('is of the moment: the same observer sees other states afterwards', () => {
    const observer = new JointObserver(world, 1);
    const joint = new Float32Array(jointSizeOf(world));
    for (const episode of [7, 8]) {
      const batch = batchOf(world, [episode]);
      observer.observe(batch, joint);
      expect([...joint]).toEqual(observationsOf(world, batch));
    }
  });
});

it('a world of several groups is among those that are looked at', () => {
  const groupCounts = Object.values(FAMILIES).map(
    (family) => family.open(family.optionsSchema.parse({})).groups.length,
  );
  expect(Math.max(...groupCounts)).toBeGreaterThan(1);
});
