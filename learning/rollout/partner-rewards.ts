import type { EnvironmentRange } from './environment-range.ts';
import type { Rollout } from './rollout-buffer.ts';
import { quantile } from '../statistics/bootstrap.ts';
import type { MemberReward } from '../strategies/contract.ts';

// Letters: B environments, N seats, T steps of a block, D driven seats of a group, R = B·D rows, σ² variance.

/** The variance of success that teaches most: half of the episodes succeed. */
const BEST_VARIANCE = 0.25;
const WIDTH = 0.02;

/** An episode that ended in the block. */
export interface EndedEpisode {
  readonly environment: number;
  /** The how-manieth of its environment in the round, from 0: those of a group with the same number started alike. */
  readonly episode: number;
  /** Of the block, 0 … T−1: the last of the episode. */
  readonly step: number;
  readonly return: number;
  readonly success: boolean;
}

/**
 * How near the learners' success within a group of episodes is to being undecided.
 *
 *     exp(−(σ² − 0.25)² / 0.02),  σ² = p(1 − p), the population variance of success
 *
 * @param successes of at least one episode
 * @returns from exp(−3.125) where all episodes went alike to 1 where half of them succeeded
 * @source arXiv 2608.12253
 */
export function curriculumReward(successes: readonly boolean[]): number {
  const rate = successes.filter(Boolean).length / successes.length;
  return Math.exp(-((rate * (1 - rate) - BEST_VARIANCE) ** 2) / WIDTH);
}

export interface StepRewardOptions {
  readonly reward: MemberReward;
  readonly seatCount: number;
  /** The environments whose steps are taken in. */
  readonly range: EnvironmentRange;
  /** For each simulator, the learners that are present in it. */
  readonly presentLearners: readonly (readonly number[])[];
}

/**
 * Puts the rewards of a step into the rollouts of a trained partner where it is not rewarded as its seats are.
 * `cooperative` is the mean over the rewards of the learners present, `adversarial` its negative; without a learner there
 * is nothing to help or to hinder: 0. `curriculum` is 0 until its block is complete.
 *
 * @param rollouts of all environments, in which the seats' own rewards are recorded before
 * @param rewards shape [B N], B those of the range @param simulators shape [B]
 */
export function rewardStep(
  rollouts: readonly Rollout[],
  step: number,
  rewards: Float64Array,
  simulators: Int32Array,
  { reward, seatCount, range, presentLearners }: StepRewardOptions,
): void {
  if (reward === 'own') return;
  const sign = { cooperative: 1, adversarial: -1, curriculum: 0 }[reward];
  for (let place = 0; place < range.count; place += 1) {
    const learners = presentLearners[simulators[place]!]!;
    let sum = 0;
    for (const seat of learners) sum += rewards[place * seatCount + seat]!;
    const environment = range.first + place;
    const value = learners.length === 0 ? 0 : (sign * sum) / learners.length;
    writeReward(rollouts, { step, environment, environmentCount: range.total }, value);
  }
}

export interface CurriculumOptions {
  readonly environmentCount: number;
  /** Neighbouring environments that start alike. */
  readonly groupSize: number;
  /** Whether the family knows success; where it does not, an episode succeeds whose return is above the block's median. */
  readonly hasSuccess: boolean;
}

/**
 * Rewards the last step of each episode with how those that started alike went in this block.
 * @param ended the episodes of the whole block
 */
export function rewardCurriculum(
  rollouts: readonly Rollout[],
  ended: readonly EndedEpisode[],
  { environmentCount, groupSize, hasSuccess }: CurriculumOptions,
): void {
  const middle = quantile(Float64Array.from(ended, (episode) => episode.return).sort(), 0.5);
  const successes = new Map<string, boolean[]>();
  const groupOf = ({ environment, episode }: EndedEpisode): string =>
    `${Math.floor(environment / groupSize)} ${episode}`;
  for (const episode of ended) {
    const group = successes.get(groupOf(episode)) ?? [];
    successes.set(groupOf(episode), [...group, hasSuccess ? episode.success : episode.return > middle]);
  }
  for (const episode of ended) {
    const { step, environment } = episode;
    const value = curriculumReward(successes.get(groupOf(episode))!);
    writeReward(rollouts, { step, environment, environmentCount }, value);
  }
}

/** All seats of the partner in an environment are rewarded alike. */
function writeReward(
  rollouts: readonly Rollout[],
  { step, environment, environmentCount }: { step: number; environment: number; environmentCount: number },
  reward: number,
): void {
  for (const { rewards, rowCount } of rollouts) {
    const driven = rowCount / environmentCount;
    const first = step * rowCount + environment * driven;
    rewards.fill(reward, first, first + driven);
  }
}
