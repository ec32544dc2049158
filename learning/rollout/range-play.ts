import { type Key, keyFrom, PURPOSE } from '../../simulators/random.ts';
import { castOf } from './cast.ts';
import { Collector } from './collector.ts';
import type { Crew } from './crew.ts';
import type { EnvironmentRange } from './environment-range.ts';
import { EpisodeSource } from './episode-source.ts';
import { PartnerPolicies } from './partner-policies.ts';
import type { PlayedRound } from './played-round.ts';
import type { TurnBlock } from './turn-block.ts';

/** What the turns of a round have in common in a range of environments. */
export class RangePlay {
  private readonly round: PlayedRound;
  private readonly crew: Crew;
  private readonly range: EnvironmentRange;
  private readonly partnerPolicies: PartnerPolicies;
  private readonly source: EpisodeSource;
  private readonly roundKey: Key;
  /** Of the turn under way. */
  private collector: Collector | null = null;

  private constructor(round: PlayedRound, crew: Crew, range: EnvironmentRange, partnerPolicies: PartnerPolicies) {
    this.round = round;
    this.crew = crew;
    this.range = range;
    this.partnerPolicies = partnerPolicies;
    this.source = new EpisodeSource(round.world, round.pool);
    this.roundKey = keyFrom(round.seed, PURPOSE.episode, round.roundIndex);
  }

  static async create(round: PlayedRound, crew: Crew, range: EnvironmentRange): Promise<RangePlay> {
    const { world, pool, environmentCount, loadPolicy } = round;
    const simulators = pool.map(({ simulator }) => simulator);
    const partnerPolicies = await PartnerPolicies.create(world, simulators, {
      environmentCount,
      load: loadPolicy,
      range,
    });
    return new RangePlay(round, crew, range, partnerPolicies);
  }

  /**
   * Starts the turn of a member in the learners' seats.
   * @throws DEFECT_INVARIANT when a partner is trained that holds no seat of the pool, or a seat waits for one
   */
  async startTurn(memberIndex: number, block: TurnBlock): Promise<Collector> {
    const { range, partnerPolicies, source, roundKey } = this;
    const { world, stepCount, pool, episodeRule, reward, scoresEpisodes, keepsSamples, onStage } = this.round;
    this.collector?.close();
    this.collector = await Collector.create({
      world,
      range,
      block,
      cast: castOf(this.round, this.crew, memberIndex),
      stepCount,
      episodeRule,
      partnerPolicies,
      source,
      learns: pool.map(({ learns }) => learns),
      roundKey,
      reward,
      scoresEpisodes,
      keepsSamples,
      onStage,
    });
    return this.collector;
  }

  release(): Promise<void> {
    this.collector?.close();
    return this.partnerPolicies.release();
  }
}
