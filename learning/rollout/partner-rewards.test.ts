import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainRollout } from '../../test/support/plain-rollout.ts';
import { allEnvironments } from './environment-range.ts';
import {
  curriculumReward,
  type EndedEpisode,
  rewardCurriculum,
  rewardStep,
  type StepRewardOptions,
} from './partner-rewards.ts';

const ENVIRONMENTS = 5;
const SEATS = 3;
const STEPS = 2;

function recordedRollouts() {
  const rollouts = [[0, 1], [2]].map((seats, group) =>
    plainRollout({ group, stepCount: STEPS, environmentCount: ENVIRONMENTS, seats }),
  );
  rollouts.forEach((rollout) => rollout.rewards.fill(7));
  return rollouts;
}

const optionsOf = (changes: Partial<StepRewardOptions>): StepRewardOptions => ({
  reward: 'own',
  seatCount: SEATS,
  range: allEnvironments(ENVIRONMENTS),
  presentLearners: [[0, 1], [1], []],
  ...changes,
});

/** Rewards of a step by environment; all seats of the partner are rewarded alike. */
function byEnvironment(rollouts: ReturnType<typeof recordedRollouts>, step: number): number[] {
  return Array.from({ length: ENVIRONMENTS }, (_, environment) => {
    const rewards = rollouts.flatMap(({ rewards: all, rowCount }) => {
      const driven = rowCount / ENVIRONMENTS;
      const first = step * rowCount + environment * driven;
      return [...all.subarray(first, first + driven)];
    });
    expect(new Set(rewards).size).toBe(1);
    return rewards[0]!;
  });
}

describe('the reward of a partner', () => {
  const rewards = Float64Array.from({ length: ENVIRONMENTS * SEATS }, (_, place) => place ** 2);
  const simulators = Int32Array.of(0, 1, 2, 0, 1);

  it.each([
    ['cooperative', 1],
    ['adversarial', -1],
  ] as const)('that is %s is the mean over the learners present, times %i', (reward, sign) => {
    const rollouts = recordedRollouts();
    rewardStep(rollouts, 1, rewards, simulators, optionsOf({ reward }));
    const squares = (...places: number[]) => places.reduce((sum, place) => sum + place ** 2, 0) / places.length;
    const expected = [squares(0, 1), squares(4), 0, squares(9, 10), squares(13)].map((mean) => sign * mean);
    byEnvironment(rollouts, 1).forEach((value, environment) => expect(value).toBeCloseTo(expected[environment]!, 12));
    expect(byEnvironment(rollouts, 0)).toEqual([7, 7, 7, 7, 7]);
  });

  it('is put into the rows of the environments that were played, wherever the others are', () => {
    const [whole, parts] = [recordedRollouts(), recordedRollouts()];
    const options = optionsOf({ reward: 'cooperative' });
    rewardStep(whole, 1, rewards, simulators, options);
    for (const [first, last] of [
      [0, 2],
      [2, 5],
    ] as const) {
      const range = { first, count: last - first, total: ENVIRONMENTS };
      const own = { rewards: rewards.slice(first * SEATS, last * SEATS), simulators: simulators.slice(first, last) };
      rewardStep(parts, 1, own.rewards, own.simulators, { ...options, range });
    }
    expect(parts).toEqual(whole);
    expect(byEnvironment(parts, 1)).not.toEqual(byEnvironment(parts, 0));
  });

  it('of its own is left as it was recorded', () => {
    const rollouts = recordedRollouts();
    rewardStep(rollouts, 0, rewards, simulators, optionsOf({}));
    expect(byEnvironment(rollouts, 0)).toEqual([7, 7, 7, 7, 7]);
  });
});

describe('the curriculum', () => {
  it('rewards undecided groups', () => {
    const successes = (count: number) => Array.from({ length: 8 }, (_, episode) => episode < count);
    expect(curriculumReward(successes(4))).toBe(1);
    // σ² = 0: e^(−25/8). σ² = 3/16: e^(−25/128). Both to ten digits.
    expect(curriculumReward(successes(0))).toBeCloseTo(0.0439369336, 10);
    expect(curriculumReward(successes(8))).toBeCloseTo(0.0439369336, 10);
    expect(curriculumReward(successes(2))).toBeCloseTo(0.8225775624, 10);
  });

  it('equals its formula with the variance as a loop', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }), (successes) => {
        let mean = 0;
        for (const success of successes) mean += Number(success) / successes.length;
        let variance = 0;
        for (const success of successes) variance += (Number(success) - mean) ** 2 / successes.length;
        expect(curriculumReward(successes)).toBeCloseTo(Math.exp(-((variance - 0.25) ** 2) / 0.02), 12);
      }),
    );
  });

  const ended = (place: [number, number], step: number, value: number, success: boolean): EndedEpisode => ({
    environment: place[0],
    episode: place[1],
    step,
    return: value,
    success,
  });
  // Two groups of two environments, and a last one of one; environment 0 ends twice, environment 3 never.
  const episodes = [
    ended([0, 0], 0, 1, true),
    ended([0, 1], 1, 2, false),
    ended([1, 0], 1, 9, true),
    ended([2, 0], 0, 5, false),
  ];

  function play(hasSuccess: boolean) {
    const rollouts = recordedRollouts();
    const idle = new Float64Array(ENVIRONMENTS * SEATS).fill(3);
    for (let step = 0; step < STEPS; step += 1) {
      rewardStep(rollouts, step, idle, new Int32Array(ENVIRONMENTS), optionsOf({ reward: 'curriculum' }));
    }
    rewardCurriculum(rollouts, episodes, { environmentCount: ENVIRONMENTS, groupSize: 2, hasSuccess });
    return [byEnvironment(rollouts, 0), byEnvironment(rollouts, 1)];
  }

  it('rewards the last step of each episode with the variance of those that started alike, and nothing else', () => {
    const alike = Math.fround(curriculumReward([true, true]));
    const single = Math.fround(curriculumReward([false]));
    expect(play(true)).toEqual([
      [alike, 0, single, 0, 0],
      [single, alike, 0, 0, 0],
    ]);
  });

  it('takes a return above the block’s median for a success where the family has none', () => {
    // The median of 1, 2, 5 and 9 is 3.5.
    const group = Math.fround(curriculumReward([false, true]));
    const single = Math.fround(curriculumReward([true]));
    expect(play(false)).toEqual([
      [group, 0, single, 0, 0],
      [single, group, 0, 0, 0],
    ]);
  });
});
