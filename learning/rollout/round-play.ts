import type { World } from '../../simulators/contract.ts';
import { type Key, keyFrom, PURPOSE } from '../../simulators/random.ts';
import { type ActingSeats, actingLearners, actingPartner } from './acting-seats.ts';
import { Collector } from './collector.ts';
import type { Crew } from './crew.ts';
import { presentLearners } from './driven-seats.ts';
import { EpisodeSource, type WeightedSimulator } from './episode-source.ts';
import type { TrainingStage } from './experience.ts';
import { PartnerPolicies, type PolicyLoader } from './partner-policies.ts';
import { RoundRecords } from './round-records.ts';
import type { EpisodeRule } from '../strategies/contract.ts';

/** One simulator of the pool that a round trains on. */
export interface TrainingSimulator extends WeightedSimulator {
  /** Whether the learners learn from its episodes; otherwise they are only scored. */
  readonly learns: boolean;
}

/** What is played in a round, whoever plays it. */
export interface PlayedRound {
  readonly world: World;
  readonly learners: readonly number[];
  readonly environmentCount: number;
  readonly stepCount: number;
  readonly pool: readonly TrainingSimulator[];
  readonly episodeRule: EpisodeRule;
  /** Whether episodes are scored against the critic, which costs a pass over each block. */
  readonly scoresEpisodes: boolean;
  /** Whether the newest of the scored episodes are reported one by one. */
  readonly keepsSamples: boolean;
  /** Fetches policies that hold seats of the pool's simulators. */
  readonly loadPolicy: PolicyLoader;
  readonly seed: number;
  /** Rounds completed before this one. */
  readonly roundIndex: number;
  readonly onStage: (stage: TrainingStage) => void;
}

/** What the turns of a round have in common. */
export class RoundPlay {
  readonly records: RoundRecords;
  private readonly round: PlayedRound;
  private readonly crew: Crew;
  private readonly partnerPolicies: PartnerPolicies;
  private readonly source: EpisodeSource;
  private readonly acting: { readonly learners: ActingSeats; readonly partner: ActingSeats };
  private readonly presentLearners: readonly (readonly number[])[];
  private readonly roundKey: Key;

  private constructor(round: PlayedRound, crew: Crew, partnerPolicies: PartnerPolicies) {
    const { world, learners, pool } = round;
    this.round = round;
    this.crew = crew;
    this.partnerPolicies = partnerPolicies;
    this.records = new RoundRecords(pool.length, crew.turns.length, round);
    this.source = new EpisodeSource(world, pool);
    this.acting = {
      learners: actingLearners(world, learners, pool),
      partner: actingPartner(world, pool, crew.partner),
    };
    this.presentLearners = pool.map(({ simulator }) => presentLearners(learners, simulator));
    this.roundKey = keyFrom(round.seed, PURPOSE.episode, round.roundIndex);
  }

  /** @throws DEFECT_INVARIANT when a partner is trained that holds no seat of the pool, or a seat waits for one */
  static async create(round: PlayedRound, crew: Crew): Promise<RoundPlay> {
    const { world, pool, environmentCount, loadPolicy } = round;
    const simulators = pool.map(({ simulator }) => simulator);
    const partnerPolicies = await PartnerPolicies.create(world, simulators, { environmentCount, load: loadPolicy });
    return new RoundPlay(round, crew, partnerPolicies);
  }

  /** Starts the turn of a member in the learners' seats. */
  startTurn(memberIndex: number): Promise<Collector> {
    const { crew, acting, records } = this;
    const { world, environmentCount, stepCount, pool, episodeRule, onStage } = this.round;
    const { partner, turns } = crew;
    return Collector.create({
      world,
      environmentCount,
      stepCount,
      episodeRule,
      onStage,
      member: { learner: turns[memberIndex]!.member.learner, acting: acting.learners },
      partner: partner && { learner: partner.learner, reward: partner.reward, acting: acting.partner },
      memberIndex,
      partnerPolicies: this.partnerPolicies,
      source: this.source,
      presentLearners: this.presentLearners,
      learns: pool.map(({ learns }) => learns),
      roundKey: this.roundKey,
      records,
      onScore: records.onScore,
    });
  }

  release(): Promise<void> {
    return this.partnerPolicies.release();
  }
}
