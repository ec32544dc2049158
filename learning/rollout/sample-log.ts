import type { EpisodeOutcome } from './episode-tally.ts';

/** Most episodes that are kept of a round, and that a strategy is told of: the newest. */
export const SAMPLES_MAX = 2048;

/** Finished episodes, the oldest first, as columns of equal length but for `drawn`. */
export interface SampleColumns {
  /** In the pool. */
  readonly positions: readonly number[];
  /** Episode by episode what was drawn for it, by path in ascending order; nothing where an entry has no ranges. */
  readonly drawn: readonly number[];
  readonly returns: readonly number[];
  readonly successes: readonly boolean[];
  readonly shortfalls: readonly number[];
}

interface Sample {
  readonly position: number;
  readonly drawn: readonly number[];
  readonly outcome: EpisodeOutcome;
  /** Known when its block is scored. */
  shortfall: number;
}

/** Keeps the newest finished episodes of a round. */
export class SampleLog {
  private samples: Sample[] = [];
  /** Samples before this one are scored. */
  private scored = 0;

  /** Notes an episode with learners that has just ended. */
  add(position: number, drawn: readonly number[], outcome: EpisodeOutcome): void {
    this.samples.push({ position, drawn, outcome, shortfall: NaN });
  }

  /** Scores the oldest episode that has no score yet: scores come in the order of the ends. */
  score(shortfall: number): void {
    this.samples[this.scored]!.shortfall = shortfall;
    this.scored += 1;
    const excess = this.scored - SAMPLES_MAX;
    if (excess <= 0) return;
    this.samples = this.samples.slice(excess);
    this.scored -= excess;
  }

  columns(): SampleColumns {
    const { samples } = this;
    return {
      positions: samples.map(({ position }) => position),
      drawn: samples.flatMap(({ drawn }) => drawn),
      returns: samples.map(({ outcome }) => outcome.return),
      successes: samples.map(({ outcome }) => outcome.success),
      shortfalls: samples.map(({ shortfall }) => shortfall),
    };
  }
}
