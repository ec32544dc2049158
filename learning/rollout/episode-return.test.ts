import { expect, test } from 'vitest';
import { simulatorOf, openSpread, scripted } from '../../test/support/small-learning.ts';
import { keyFrom } from '../../simulators/random.ts';
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

function started(from: typeof world, learners: readonly number[]): EpisodeReturns {
  const returns = new EpisodeReturns(from, 2);
  for (const environment of [0, 1]) returns.start(environment, learners);
  return returns;
}

test('a cooperative return is the sum over all seats and steps', () => {
  const returns = started(world, [0]);
  const batch = batchWithRewards();
  returns.add(batch);
  returns.add(batch);
  expect([...returns.returns]).toEqual([2 * (1 + 2 + 4), 2 * (8 + 16 + 32)]);
  expect([...returns.lengths]).toEqual([2, 2]);
});

test('any other return is the mean over the learners that are present', () => {
  const competitive = { ...world, cooperative: false };
  const returns = started(competitive, [0, 1]);
  returns.start(1, [0]);
  returns.add(batchWithRewards());
  expect([...returns.returns]).toEqual([(1 + 2) / 2, 8]);
  returns.start(1, []);
  returns.add(batchWithRewards());
  expect(returns.returns[1]).toBeNaN();
});

test('a new episode begins at 0', () => {
  const returns = started(world, [0]);
  returns.add(batchWithRewards());
  returns.start(0, [0]);
  expect([...returns.returns]).toEqual([0, 8 + 16 + 32]);
  expect([...returns.lengths]).toEqual([0, 1]);
});
