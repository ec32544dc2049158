import { describe, expect, it } from 'vitest';
import { EpisodeScorer, type EpisodeScore } from '../../rollout/episode-scores.ts';
import { STEP_CONTINUES, STEP_TERMINATED, STEP_TRUNCATED } from '../../rollout/rollout-buffer.ts';
import { plainRollout } from '../../../test/support/plain-rollout.ts';
import { shortfallOf } from './shortfall.ts';

const gamma = 0.5;
const rewards = [1, -2, 4];
/** In single precision without loss, because a rollout holds no other. */
const values = [3, 0.25, -1, 8];

describe('the shortfall of an episode', () => {
  it('is what the critic expected less what came, with the value of the last state where the episode was cut off', () => {
    expect(shortfallOf({ rewards, values }, gamma)).toBe(3 - (1 - 2 / 2 + 4 / 4) - 8 / 8);
  });

  it('is 0 of a critic who was right', () => {
    expect(shortfallOf({ rewards: [1, 1], values: [1.5 + 0.25 * 8, 9, 8] }, gamma)).toBe(0);
  });

  it.each([
    { how: 'was cut off', end: STEP_TRUNCATED, last: 8 },
    { how: 'terminated', end: STEP_TERMINATED, last: 0 },
  ])('that $how is the same as that of a training episode', ({ end, last }) => {
    const rollout = plainRollout({ stepCount: 3, environmentCount: 1 });
    rollout.rewards.set(rewards);
    rollout.values.set(values.slice(0, 3));
    rollout.nextValues.set(values.slice(1));
    rollout.ends.set([STEP_CONTINUES, STEP_CONTINUES, end]);
    const scores: EpisodeScore[] = [];
    const scorer = new EpisodeScorer({
      groups: [{ rollout, seats: [0] }],
      environmentCount: 1,
      returns: { gamma, lambda: 1 },
      presentLearners: [[0]],
      onScore: (_, score) => scores.push(score),
    });
    scorer.addBlock(new Int32Array(3));
    expect(scores.map(({ shortfall }) => shortfall)).toEqual([
      shortfallOf({ rewards, values: [...values.slice(0, 3), last] }, gamma),
    ]);
  });
});
