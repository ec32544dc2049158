/** What is known of one finished episode. */
export interface EpisodeOutcome {
  readonly return: number;
  /** Steps. */
  readonly length: number;
  /** Whether the family's success criterion held at the last step. */
  readonly success: boolean;
}

/** The finished episodes of one simulator, summed up. Means are NaN when there were none. */
export interface EpisodeSummary {
  readonly episodes: number;
  readonly returnMean: number;
  /** Standard deviation over episodes (n − 1); NaN below two. */
  readonly returnStd: number;
  readonly lengthMean: number;
  readonly successRate: number;
}

/** Sums up finished episodes by simulator while a round is played, in constant memory. */
export class EpisodeTally {
  private readonly counts: Float64Array;
  private readonly means: Float64Array;
  private readonly squares: Float64Array;
  private readonly lengths: Float64Array;
  private readonly successes: Float64Array;

  constructor(simulatorCount: number) {
    this.counts = new Float64Array(simulatorCount);
    this.means = new Float64Array(simulatorCount);
    this.squares = new Float64Array(simulatorCount);
    this.lengths = new Float64Array(simulatorCount);
    this.successes = new Float64Array(simulatorCount);
  }

  /** Takes in one finished episode (Welford's update, which does not cancel where returns are large and alike). */
  add(simulator: number, outcome: EpisodeOutcome): void {
    const count = (this.counts[simulator]! += 1);
    const deviation = outcome.return - this.means[simulator]!;
    this.means[simulator]! += deviation / count;
    this.squares[simulator]! += deviation * (outcome.return - this.means[simulator]!);
    this.lengths[simulator]! += outcome.length;
    this.successes[simulator]! += outcome.success ? 1 : 0;
  }

  summary(simulator: number): EpisodeSummary {
    const episodes = this.counts[simulator]!;
    return {
      episodes,
      returnMean: episodes === 0 ? NaN : this.means[simulator]!,
      returnStd: episodes < 2 ? NaN : Math.sqrt(this.squares[simulator]! / (episodes - 1)),
      lengthMean: this.lengths[simulator]! / episodes,
      successRate: this.successes[simulator]! / episodes,
    };
  }
}
