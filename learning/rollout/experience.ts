import type { ActionArray, Batch } from '../../simulators/contract.ts';
import { ActingGroup, type ActingOptions } from './acting-group.ts';
import type { Cast } from './cast.ts';
import { LearnedRewards, type RewardKind } from './learned-rewards.ts';
import type { RunningEpisodes } from './partner-policies.ts';
import { rewardStep, type StepRewardOptions } from './partner-rewards.ts';
import type { TrainingStage } from './played-round.ts';
import type { TurnBlock } from './turn-block.ts';

// Letters: T steps of a block, B environments of the range, N seats, W numbers of an action.

export interface ExperienceOptions extends ActingOptions {
  readonly cast: Cast;
  /** Of all environments; the rows of the range are written. */
  readonly block: TurnBlock;
  /** What the learners are rewarded with. */
  readonly reward: RewardKind;
  readonly onStage: (stage: TrainingStage) => void;
}

/** What the networks of the members see, do and get in a range of environments while a block is played. */
export class Experience {
  private readonly options: ExperienceOptions;
  private readonly learnerGroups: readonly ActingGroup[];
  private readonly partnerGroups: readonly ActingGroup[];
  private readonly learnedRewards: LearnedRewards;
  /** Null when no partner is trained. */
  private readonly stepRewards: StepRewardOptions | null;

  private constructor(
    options: ExperienceOptions,
    learnerGroups: readonly ActingGroup[],
    partnerGroups: readonly ActingGroup[],
  ) {
    const { cast, world, range, block, reward } = options;
    const { partner, presentLearners } = cast;
    this.options = options;
    this.learnerGroups = learnerGroups;
    this.partnerGroups = partnerGroups;
    const seats = block.rollouts.flatMap((rollout) => rollout.seats);
    this.learnedRewards = new LearnedRewards(reward, world, range.count, seats);
    this.stepRewards = partner && { reward: partner.reward, seatCount: world.seatCount, range, presentLearners };
  }

  static async create(options: ExperienceOptions): Promise<Experience> {
    const { cast, block } = options;
    const learners = await ActingGroup.createAll(cast.member, block.rollouts, options);
    const partners =
      cast.partner === null ? [] : await ActingGroup.createAll(cast.partner, block.partnerRollouts, options);
    return new Experience(options, learners, partners);
  }

  /** The partner acts after the learners, whose networks have rows for its seats where these are theirs elsewhere. */
  private get groups(): readonly ActingGroup[] {
    return [...this.learnerGroups, ...this.partnerGroups];
  }

  /** @param lengths shape [B]: steps of the running episodes */
  async forward(batch: Batch, lengths: Int32Array): Promise<void> {
    const { onStage } = this.options;
    for (const group of this.groups) {
      onStage('observing');
      group.observe(batch, lengths);
      onStage('forward');
      await group.forward();
    }
  }

  /** Chooses the actions of a step after its forward pass. @param actions shape [B N W], written */
  act(step: number, episodes: RunningEpisodes, actions: ActionArray): void {
    for (const group of this.groups) group.act(step, episodes, actions);
  }

  /** To be called with what everybody does, before it is done. @param actions shape [B N W] */
  foresee(batch: Batch, actions: ActionArray): void {
    this.learnedRewards.foresee(batch, actions);
  }

  /** Records how a step went. @param rewards shape [B N] @param ends shape [B] @param simulators shape [B] */
  record(step: number, rewards: Float64Array, ends: Uint8Array, simulators: Int32Array): void {
    const { block, range } = this.options;
    const learned = this.learnedRewards.of(rewards);
    for (const group of this.learnerGroups) group.record(step, learned, ends, simulators);
    for (const group of this.partnerGroups) group.record(step, rewards, ends, simulators);
    if (this.stepRewards !== null) rewardStep(block.partnerRollouts, step, rewards, simulators, this.stepRewards);
    block.played.set(simulators, step * range.total + range.first);
  }

  /** Takes the last forward pass as that of the states after a step. */
  recordNext(step: number): void {
    for (const group of this.groups) group.recordNext(step);
  }
}
