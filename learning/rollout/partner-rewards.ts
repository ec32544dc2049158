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

export interface PartnerRewardOptions {
  readonly reward: MemberReward;
  readonly seatCount: number;
  readonly environmentCount: number;
  /** Neighbouring environments that start alike. */
  readonly groupSize: number;
  /** Whether the family knows success; where it does not, an episode succeeds whose return is above the block's median. */
  readonly hasSuccess: boolean;
  /** For each simulator, the learners that are present in it. */
  readonly presentLearners: readonly (readonly number[])[];
}

/** Puts into the rollouts of a trained partner what it is rewarded with, where that is not its seats' own reward. */
export class PartnerRewards {
  private readonly rollouts: readonly Rollout[];
  private readonly options: PartnerRewardOptions;
  private ended: EndedEpisode[] = [];

  /** @param rollouts in which the seats' own rewards are recorded before */
  constructor(rollouts: readonly Rollout[], options: PartnerRewardOptions) {
    this.rollouts = rollouts;
    this.options = options;
  }

  /**
   * Takes in a step. `cooperative` is the mean over the rewards of the learners present, `adversarial` its negative;
   * without a learner there is nothing to help or to hinder: 0.
   * @param rewards shape [B N] @param simulators shape [B]
   */
  addStep(step: number, rewards: Float64Array, simulators: Int32Array): void {
    const { reward, seatCount, presentLearners } = this.options;
    if (reward === 'own') return;
    const sign = { cooperative: 1, adversarial: -1, curriculum: 0 }[reward];
    for (let environment = 0; environment < simulators.length; environment += 1) {
      const learners = presentLearners[simulators[environment]!]!;
      let sum = 0;
      for (const seat of learners) sum += rewards[environment * seatCount + seat]!;
      this.write(step, environment, learners.length === 0 ? 0 : (sign * sum) / learners.length);
    }
  }

  addEnd(episode: EndedEpisode): void {
    if (this.options.reward === 'curriculum') this.ended.push(episode);
  }

  /** `curriculum`: the last step of each episode is rewarded with how those that started alike went in this block. */
  finishBlock(): void {
    const { groupSize, hasSuccess } = this.options;
    const middle = quantile(Float64Array.from(this.ended, (episode) => episode.return).sort(), 0.5);
    const successes = new Map<string, boolean[]>();
    const groupOf = ({ environment, episode }: EndedEpisode): string =>
      `${Math.floor(environment / groupSize)} ${episode}`;
    for (const episode of this.ended) {
      const group = successes.get(groupOf(episode)) ?? [];
      successes.set(groupOf(episode), [...group, hasSuccess ? episode.success : episode.return > middle]);
    }
    for (const episode of this.ended) {
      this.write(episode.step, episode.environment, curriculumReward(successes.get(groupOf(episode))!));
    }
    this.ended = [];
  }

  /** All seats of the partner in an environment are rewarded alike. */
  private write(step: number, environment: number, reward: number): void {
    for (const { rewards, rowCount } of this.rollouts) {
      const driven = rowCount / this.options.environmentCount;
      const first = step * rowCount + environment * driven;
      rewards.fill(reward, first, first + driven);
    }
  }
}
