import type { Batch } from '../../simulators/contract.ts';
import { ActingGroup, type ActingOptions } from './acting-group.ts';
import type { ActingSeats } from './acting-seats.ts';
import type { Learner } from '../algorithms/contract.ts';
import { EpisodeScorer, type ScorerOptions } from './episode-scores.ts';
import type { RunningEpisodes } from './partner-policies.ts';
import { type EndedEpisode, PartnerRewards } from './partner-rewards.ts';
import type { Rollout } from './rollout-buffer.ts';
import type { EpisodeRule, MemberReward } from '../strategies/contract.ts';

/** Where the time of a training round goes. */
export type TrainingStage = 'observing' | 'forward' | 'sampling' | 'stepping' | 'recording' | 'update';

export interface ActingMember {
  readonly learner: Learner;
  readonly acting: ActingSeats;
}

export interface ExperienceOptions extends ActingOptions {
  /** Who holds the learners' seats. */
  readonly member: ActingMember;
  /** Who is trained beside; null for nobody. */
  readonly partner: (ActingMember & { readonly reward: MemberReward }) | null;
  readonly episodeRule: EpisodeRule;
  /** For each simulator, the learners that are present in it. */
  readonly presentLearners: readonly (readonly number[])[];
  /** For each simulator; null unless episodes are scored. */
  readonly onScore: ScorerOptions['onScore'] | null;
  readonly onStage: (stage: TrainingStage) => void;
}

/** What the networks of the members see, do and get while a block is played, and what they are to learn from it. */
export class Experience {
  /** What the member in the learners' seats learns from. */
  readonly rollouts: readonly Rollout[];
  /** What the partner learns from. */
  readonly partnerRollouts: readonly Rollout[];
  private readonly groups: readonly ActingGroup[];
  private readonly partnerRewards: PartnerRewards | null;
  private readonly scorer: EpisodeScorer | null;
  /** Shape [T B]: the simulator of each step; filled only where episodes are scored. */
  private readonly played: Int32Array;
  private readonly onStage: ExperienceOptions['onStage'];

  private constructor(
    options: ExperienceOptions,
    learnerGroups: readonly ActingGroup[],
    partnerGroups: readonly ActingGroup[],
  ) {
    const { member, partner, world, environmentCount, presentLearners, onScore } = options;
    // The partner acts after the learners, whose networks have rows for its seats where these are theirs elsewhere.
    this.groups = [...learnerGroups, ...partnerGroups];
    this.rollouts = learnerGroups.map(({ rollout }) => rollout);
    this.partnerRollouts = partnerGroups.map(({ rollout }) => rollout);
    const { seatCount, hasSuccess } = world;
    const episodes = { environmentCount, presentLearners };
    this.partnerRewards =
      partner &&
      new PartnerRewards(this.partnerRollouts, {
        ...episodes,
        ...options.episodeRule,
        reward: partner.reward,
        seatCount,
        hasSuccess,
      });
    const { returns } = member.learner;
    this.scorer = onScore && new EpisodeScorer({ ...episodes, groups: learnerGroups, returns, onScore });
    this.played = new Int32Array(onScore === null ? 0 : options.stepCount * environmentCount);
    this.onStage = options.onStage;
  }

  static async create(options: ExperienceOptions): Promise<Experience> {
    const { member, partner } = options;
    const learners = await ActingGroup.createAll(member.learner, member.acting, options);
    const partners = partner === null ? [] : await ActingGroup.createAll(partner.learner, partner.acting, options);
    return new Experience(options, learners, partners);
  }

  async forward(batch: Batch): Promise<void> {
    for (const group of this.groups) {
      this.onStage('observing');
      group.observe(batch);
      this.onStage('forward');
      await group.forward();
    }
  }

  /** Chooses the actions of a step after its forward pass. @param actions shape [B N], written */
  act(step: number, episodes: RunningEpisodes, actions: Int32Array): void {
    for (const group of this.groups) group.act(step, episodes, actions);
  }

  /** Records how a step went. @param rewards shape [B N] @param ends shape [B] @param simulators shape [B] */
  record(step: number, rewards: Float64Array, ends: Uint8Array, simulators: Int32Array): void {
    for (const group of this.groups) group.record(step, rewards, ends, simulators);
    this.partnerRewards?.addStep(step, rewards, simulators);
    if (this.scorer !== null) this.played.set(simulators, step * simulators.length);
  }

  /** Takes the last forward pass as that of the states after a step. */
  recordNextValues(step: number): void {
    for (const group of this.groups) group.recordNextValues(step);
  }

  /** Takes in an episode that ended in the block. */
  addEnd(episode: EndedEpisode): void {
    this.partnerRewards?.addEnd(episode);
  }

  finishBlock(): void {
    for (const group of this.groups) group.linkValues();
    this.partnerRewards?.finishBlock();
    this.scorer?.addBlock(this.played);
  }
}
