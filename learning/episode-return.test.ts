import { expect, test } from 'vitest';
import { simulatorOf, openSpread, scripted } from '../test/support/small-learning.ts';
import { keyFrom } from '../simulators/random.ts';
import { EpisodeReturns } from './episode-return.ts';

const world = openSpread({ agents: 3 });

/** A batch whose seat 1 is scripted in the second environment, with rewards of their own. */
function batchWithRewards() {
  const batch = world.createBatch(2);
  batch.reset(0, world.compile(simulatorOf(world)), keyFrom(0));
  batch.reset(1, world.compile(simulatorOf(world, scripted(1, 'noop'))), keyFrom(0));
  batch.rewards.set([1, 2, 4, 8, 16, 32]);
  return batch;
}

test('a cooperative return is the sum over all seats and steps', () => {
  const returns = new EpisodeReturns(world, [0], 2);
  const batch = batchWithRewards();
  returns.add(batch);
  returns.add(batch);
  expect([...returns.returns]).toEqual([2 * (1 + 2 + 4), 2 * (8 + 16 + 32)]);
  expect([...returns.lengths]).toEqual([2, 2]);
});

test('any other return is the mean over the learners that are present', () => {
  const competitive = { ...world, cooperative: false };
  const returns = new EpisodeReturns(competitive, [0, 1], 2);
  returns.add(batchWithRewards());
  expect([...returns.returns]).toEqual([(1 + 2) / 2, 8]);
  const absent = new EpisodeReturns(competitive, [1], 2);
  absent.add(batchWithRewards());
  expect([...absent.returns]).toEqual([2, NaN]);
});

test('a new episode begins at 0', () => {
  const returns = new EpisodeReturns(world, [0], 2);
  returns.add(batchWithRewards());
  returns.start(0);
  expect([...returns.returns]).toEqual([0, 8 + 16 + 32]);
  expect([...returns.lengths]).toEqual([0, 1]);
});
