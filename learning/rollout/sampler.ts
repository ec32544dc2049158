import type { Collector } from './collector.ts';
import type { Crew } from './crew.ts';
import type { EnvironmentRange } from './environment-range.ts';
import type { PlayedRound } from './played-round.ts';
import { RangePlay } from './range-play.ts';
import type { CollectOptions, RangeReport } from './range-report.ts';
import type { TurnBlock } from './turn-block.ts';

/** A turn of a member in the learners' seats, for whoever plays a part of it. */
export interface SampledTurn {
  /** The place of the member among those in the learners' seats. */
  readonly memberIndex: number;
  /** The same for all turns of a round. */
  readonly range: EnvironmentRange;
  /** In shared memory; the rows of the range are written. */
  readonly block: TurnBlock;
}

/** The newest weights, as learners save them, and what else the next block takes. */
export interface SampledBlock extends CollectOptions {
  readonly member: Uint8Array;
  /** Null where no partner is trained. */
  readonly partner: Uint8Array | null;
}

/**
 * Plays a range of the environments of one round, somewhere: on another thread, or where the round itself is played. It
 * knows the round before; only weights and what was played pass between. Everything that sums up over environments is
 * done by whoever asks.
 */
export interface Sampler {
  startTurn(turn: SampledTurn): Promise<void>;
  collect(block: SampledBlock): Promise<RangeReport>;
  /** The round is over. */
  release(): Promise<void>;
}

/** Plays with networks of its own. */
export class RangeSampler implements Sampler {
  private readonly round: PlayedRound;
  private readonly crew: Crew;
  private play: RangePlay | null = null;
  private turn: { readonly memberIndex: number; readonly collector: Collector } | null = null;

  /** @param crew its learners are loaded with the weights of every block */
  constructor(round: PlayedRound, crew: Crew) {
    this.round = round;
    this.crew = crew;
  }

  async startTurn({ memberIndex, range, block }: SampledTurn): Promise<void> {
    this.play ??= await RangePlay.create(this.round, this.crew, range);
    this.turn = { memberIndex, collector: await this.play.startTurn(memberIndex, block) };
  }

  async collect({ member, partner, countsVisits }: SampledBlock): Promise<RangeReport> {
    const { memberIndex, collector } = this.turn!;
    await this.crew.turns[memberIndex]!.member.learner.load(member);
    if (partner !== null) await this.crew.partner!.learner.load(partner);
    return collector.collect({ countsVisits });
  }

  async release(): Promise<void> {
    await this.play?.release();
  }
}
