import { expect, it } from 'vitest';
import type { Experienced } from '../algorithms/contract.ts';
import { createRollout, STEP_TERMINATED } from '../rollout/rollout-buffer.ts';
import { BlockRewards } from './block-rewards.ts';

/** A block of one environment in which each group has one seat and every step ends an episode. */
function blockOf(rewards: readonly (readonly number[])[]): Experienced {
  const rollouts = rewards.map((given, group) => {
    const policy = { inputSize: 1, isMasked: false, memorySize: 0, actions: { kind: 'discrete', count: 2 } } as const;
    const size = { stepCount: given.length, environmentCount: 1, seats: [group], jointSize: 0 };
    const rollout = createRollout({ group, ...policy }, size);
    rollout.rewards.set(given);
    rollout.ends.fill(STEP_TERMINATED);
    rollout.learning.fill(1);
    return rollout;
  });
  return { rollouts, played: Int32Array.from(rewards[0]!, () => 0), simulators: ['only'] };
}

const rewardsOf = ({ rollouts }: Experienced): number[][] => rollouts.map(({ rewards }) => [...rewards]);

it('every group has scales of its own, and the block that was given stays as it was', () => {
  const block = blockOf([
    [2, 6],
    [-10, 10],
  ]);
  const rewards = new BlockRewards([0, 1], 0.9);
  expect(rewardsOf(rewards.scaled(block))).toEqual([
    [1, 3],
    [-1, 1],
  ]);
  expect([rewards.unitOf(0), rewards.unitOf(1)]).toEqual([2, 10]);
  expect(rewardsOf(block)).toEqual([
    [2, 6],
    [-10, 10],
  ]);
});

it('what was seen goes on after it was stored', () => {
  const next = blockOf([
    [1, 1],
    [0, 50],
  ]);
  const rewards = new BlockRewards([0, 1], 0.9);
  rewards.scaled(
    blockOf([
      [2, 6],
      [-10, 10],
    ]),
  );
  const stored = new BlockRewards([0, 1], 0.9);
  stored.reader(rewards.arrays())();
  expect(rewardsOf(stored.scaled(next))).toEqual(rewardsOf(rewards.scaled(next)));
  expect(stored.arrays()).toEqual(rewards.arrays());
});

it('arrays of another length are refused', () => {
  const rewards = new BlockRewards([0], 0.9);
  expect(() => rewards.reader({ '0.simulator.only': Float64Array.of(1, 2) })).toThrow(/the rewards/);
});
