import { describe, expect, it } from 'vitest';
import { createRollout, STEP_CONTINUES, STEP_TERMINATED } from '../rollout/rollout-buffer.ts';
import { type PlayedSteps, RewardScales } from './reward-scales.ts';

const policy = {
  group: 0,
  inputSize: 1,
  isMasked: false,
  memorySize: 0,
  actions: { kind: 'discrete', count: 2 },
} as const;

/** One environment of one seat. @param simulator of each step, by its place in the names */
function blockOf(
  rewards: number[],
  simulator: number[],
  ends: number[] = rewards.map(() => STEP_TERMINATED),
): PlayedSteps {
  const size = { stepCount: rewards.length, environmentCount: 1, seats: [0], jointSize: 0 };
  const rollout = createRollout(policy, size);
  rollout.rewards.set(rewards);
  rollout.ends.set(ends);
  rollout.learning.fill(1);
  return { rollout, played: Int32Array.from(simulator), simulators: ['small', 'large'] };
}

const deviation = (values: number[]): number => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
};

describe('rewards that are divided by the deviation of the returns of their simulator', () => {
  it('have one scale wherever they come from, and are left as they were given', () => {
    const block = blockOf([1, 3, 100, 300], [0, 0, 1, 1]);
    const scaled = new RewardScales(0.9).scaled(block);
    expect([...scaled]).toEqual([1, 3, 1, 3]);
    expect([...block.rollout.rewards]).toEqual([1, 3, 100, 300]);
  });

  it('are divided by that of discounted sums, which begin with every episode', () => {
    const ends = [STEP_CONTINUES, STEP_TERMINATED, STEP_CONTINUES, STEP_CONTINUES];
    const scaled = new RewardScales(0.5).scaled(blockOf([1, 2, 4, 8], [0, 0, 0, 0], ends));
    expect(scaled[1]).toBeCloseTo(2 / deviation([1, 2.5, 4, 10]), 6);
  });

  it('go by all blocks so far, also after they were stored', () => {
    const scales = new RewardScales(0);
    scales.scaled(blockOf([1, 5], [0, 0]));
    const stored = new RewardScales(0);
    stored.load(scales.arrays());
    for (const each of [scales, stored]) {
      expect(each.scaled(blockOf([7, 9, 9], [0, 0, 1]))[0]).toBeCloseTo(7 / deviation([1, 5, 7, 9]), 6);
    }
    expect(stored.arrays()).toEqual(scales.arrays());
  });

  it('go on in the order in which simulators were played, also where their names are numbers', () => {
    const scales = new RewardScales(0.9);
    const names = ['3', '2', 'plain', '1'];
    names.forEach((name, index) => {
      scales.scaled({ ...blockOf([index, 0.3 * index ** 2, -index / 7], [0, 0, 0]), simulators: [name] });
    });
    const stored = new RewardScales(0.9);
    stored.load(scales.arrays());
    expect(Object.keys(stored.arrays())).toEqual(Object.keys(scales.arrays()));
    expect(Object.keys(stored.arrays()).map((key) => key.split('.').at(-1))).toEqual(names);
  });

  it('are not learnt from where a partner acted', () => {
    const block = blockOf([1, 3, NaN], [0, 0, 0]);
    block.rollout.learning[2] = 0;
    expect([...new RewardScales(0.9).scaled(block)].slice(0, 2)).toEqual([1, 3]);
  });

  it('never are divided by zero', () => {
    expect([...new RewardScales(0.9).scaled(blockOf([0, 0], [0, 0]))]).toEqual([0, 0]);
  });
});
