import { BlockAccount } from './block-account.ts';
import { castOf } from './cast.ts';
import type { Collector } from './collector.ts';
import type { Crew } from './crew.ts';
import { type EnvironmentRange, splitEnvironments } from './environment-range.ts';
import type { PlayedRound } from './played-round.ts';
import { RangePlay } from './range-play.ts';
import { type CollectOptions, mergeReports, type RangeReport } from './range-report.ts';
import { RoundRecords } from './round-records.ts';
import type { SampledBlock, Sampler } from './sampler.ts';
import { createTurnBlock, type TurnBlock } from './turn-block.ts';

export interface RoundPlayOptions {
  readonly round: PlayedRound;
  readonly crew: Crew;
  /** Who plays ranges of the environments beside; the first range is played here. */
  readonly samplers: readonly Sampler[];
}

/** Plays the turns of a round in ranges of environments, and keeps its records. */
export class RoundPlay {
  readonly records: RoundRecords;
  private readonly options: RoundPlayOptions;
  private readonly ranges: readonly EnvironmentRange[];
  private readonly own: RangePlay;

  private constructor(options: RoundPlayOptions, ranges: readonly EnvironmentRange[], own: RangePlay) {
    const { round, crew } = options;
    this.options = options;
    this.ranges = ranges;
    this.own = own;
    this.records = new RoundRecords(round.pool.length, crew.turns.length, round);
  }

  static async create(options: RoundPlayOptions): Promise<RoundPlay> {
    const { round, crew, samplers } = options;
    const ranges = splitEnvironments(round.environmentCount, samplers.length + 1);
    return new RoundPlay(options, ranges, await RangePlay.create(round, crew, ranges[0]!));
  }

  /**
   * Starts the turn of a member in the learners' seats.
   * @throws DEFECT_INVARIANT when a partner is trained that holds no seat of the pool, or a seat waits for one
   */
  async startTurn(memberIndex: number): Promise<Turn> {
    const { round, crew, samplers } = this.options;
    const cast = castOf(round, crew, memberIndex);
    const block = createTurnBlock({ ...round, ...cast, isShared: samplers.length > 0 });
    const [own] = await Promise.all([
      this.own.startTurn(memberIndex, block),
      ...samplers.map((sampler, index) => sampler.startTurn({ memberIndex, range: this.ranges[index + 1]!, block })),
    ]);
    const account = new BlockAccount({ round, cast, block, records: this.records, memberIndex });
    const weights = (): Omit<SampledBlock, 'countsVisits'> => ({
      member: cast.member.learner.save(),
      partner: cast.partner?.learner.save() ?? null,
    });
    return new Turn({ block, own, samplers, account, weights, onStage: round.onStage });
  }

  async release(): Promise<void> {
    await Promise.all([this.own, ...this.options.samplers].map((part) => part.release()));
  }
}

interface TurnParts {
  readonly block: TurnBlock;
  /** Plays the first range. */
  readonly own: Collector;
  readonly samplers: readonly Sampler[];
  readonly account: BlockAccount;
  readonly weights: () => Omit<SampledBlock, 'countsVisits'>;
  readonly onStage: PlayedRound['onStage'];
}

/** The turn of a member in the learners' seats, block by block. */
class Turn {
  /** What its members learn from; filled anew by every block. */
  readonly block: TurnBlock;
  private readonly parts: TurnParts;

  constructor(parts: TurnParts) {
    this.parts = parts;
    this.block = parts.block;
  }

  /** Plays the next block. @returns what the learners visited in it; null unless that was asked for */
  async collect(options: CollectOptions): Promise<RangeReport['visits']> {
    const { own, samplers, account, weights, onStage } = this.parts;
    const sampled = samplers.length === 0 ? null : { ...weights(), ...options };
    // The others begin before this thread does.
    const reports = samplers.map((sampler) => sampler.collect(sampled!));
    const played = own.collect(options).then((report) => {
      if (samplers.length > 0) onStage('waiting');
      return report;
    });
    const { visits, ...ended } = mergeReports(await Promise.all([played, ...reports]));
    account.add(ended);
    return visits;
  }
}
