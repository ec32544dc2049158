import type { Cast } from './cast.ts';
import { EpisodeScorer } from './episode-scores.ts';
import { rewardCurriculum } from './partner-rewards.ts';
import type { PlayedRound } from './played-round.ts';
import type { FinishedEpisode, RangeReport } from './range-report.ts';
import type { RoundRecords } from './round-records.ts';
import { finishTurnBlock, type TurnBlock } from './turn-block.ts';

export interface BlockAccountOptions {
  readonly round: PlayedRound;
  readonly cast: Cast;
  readonly block: TurnBlock;
  readonly records: RoundRecords;
  /** The place of the member in the learners' seats in the records. */
  readonly memberIndex: number;
}

/** Sums up the blocks of a turn over all environments, in one order whoever played them. */
export class BlockAccount {
  private readonly options: BlockAccountOptions;
  /** Null unless episodes are scored. */
  private readonly scorer: EpisodeScorer | null;

  constructor(options: BlockAccountOptions) {
    const { round, cast, block, records } = options;
    const { learner, acting } = cast.member;
    this.options = options;
    this.scorer =
      records.onScore &&
      new EpisodeScorer({
        environmentCount: round.environmentCount,
        presentLearners: cast.presentLearners,
        groups: block.rollouts.map((rollout) => ({ rollout, seats: acting.driven[rollout.group]! })),
        returns: learner.returns,
        onScore: records.onScore,
      });
  }

  /** Takes in a block that all environments have played. */
  add({ ended, scoringEnvSteps }: Pick<RangeReport, 'ended' | 'scoringEnvSteps'>): void {
    const { block, records } = this.options;
    records.scoringEnvSteps += scoringEnvSteps;
    for (const episode of ended) this.addEpisode(episode);
    finishTurnBlock(block);
    this.rewardPartner(ended);
    this.scorer?.addBlock(block.played);
  }

  private addEpisode(episode: FinishedEpisode): void {
    const { records, memberIndex } = this.options;
    records.add({ member: memberIndex, simulator: episode.simulator }, episode);
    if (episode.drawn !== null) records.samples?.add(episode.simulator, episode.drawn, episode);
  }

  private rewardPartner(ended: readonly FinishedEpisode[]): void {
    const { round, cast, block } = this.options;
    if (cast.partner?.reward !== 'curriculum') return;
    const { environmentCount, world, episodeRule } = round;
    const { hasSuccess } = world;
    rewardCurriculum(block.partnerRollouts, ended, { environmentCount, groupSize: episodeRule.groupSize, hasSuccess });
  }
}
