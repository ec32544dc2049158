import { EpisodeTally, type EpisodeOutcome, type EpisodeSummary } from './episode-tally.ts';
import { ScoreTally, type ScorerOptions } from './episode-scores.ts';
import { SampleLog } from './sample-log.ts';
import type { EpisodeScores } from '../strategies/contract.ts';

/** How the episodes of a simulator went, and how they went against what the critic expected, where that was asked for. */
export interface EpisodeRecord extends EpisodeSummary {
  readonly scores: EpisodeScores | null;
}

/** The finished episodes of a round, by simulator and by who played them. */
export class RoundRecords {
  /** Takes in the score of an episode; null unless episodes are scored. */
  readonly onScore: ScorerOptions['onScore'] | null;
  /** Null unless episodes are reported one by one. */
  readonly samples: SampleLog | null;
  /** Steps in simulators that nobody learns from. */
  scoringEnvSteps = 0;
  /** For each simulator; null unless episodes are scored. */
  private readonly scores: readonly ScoreTally[] | null;
  private readonly bySimulator: EpisodeTally;
  private readonly byMember: EpisodeTally;
  private readonly simulatorCount: number;

  constructor(
    simulatorCount: number,
    memberCount: number,
    { scoresEpisodes, keepsSamples }: { scoresEpisodes: boolean; keepsSamples: boolean },
  ) {
    this.simulatorCount = simulatorCount;
    this.bySimulator = new EpisodeTally(simulatorCount);
    this.byMember = new EpisodeTally(memberCount);
    const scores = scoresEpisodes ? Array.from({ length: simulatorCount }, () => new ScoreTally()) : null;
    const samples = keepsSamples ? new SampleLog() : null;
    this.scores = scores;
    this.samples = samples;
    this.onScore =
      scores &&
      ((simulator, score) => {
        scores[simulator]!.add(score);
        samples?.score(score.shortfall);
      });
  }

  add(played: { readonly member: number; readonly simulator: number }, outcome: EpisodeOutcome): void {
    this.bySimulator.add(played.simulator, outcome);
    this.byMember.add(played.member, outcome);
  }

  /** In the order of the pool. */
  episodes(): EpisodeRecord[] {
    return Array.from({ length: this.simulatorCount }, (_, simulator) => ({
      ...this.bySimulator.summary(simulator),
      scores: this.scores?.[simulator]!.summary() ?? null,
    }));
  }

  ofMember(member: number): Pick<EpisodeSummary, 'episodes' | 'returnMean'> {
    const { episodes, returnMean } = this.byMember.summary(member);
    return { episodes, returnMean };
  }
}
