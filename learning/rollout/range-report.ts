import type { EpisodeOutcome } from './episode-tally.ts';
import type { EndedEpisode } from './partner-rewards.ts';

export interface CollectOptions {
  /** Whether to count the states that are visited, which costs 2 % of training. */
  readonly countsVisits: boolean;
}

/** An episode that ended in a block, as whoever played it tells it. */
export interface FinishedEpisode extends EndedEpisode, EpisodeOutcome {
  /** In the pool. */
  readonly simulator: number;
  /** What was drawn for it; null unless samples are kept and a learner was present. */
  readonly drawn: readonly number[] | null;
}

/** What was played of a block in a range of environments, beside what is in the block itself. */
export interface RangeReport {
  /** By step, then by environment. */
  readonly ended: readonly FinishedEpisode[];
  /** Env steps in simulators that nobody learns from. */
  readonly scoringEnvSteps: number;
  /** By simulator, by state feature: visits of the learners; null unless they were asked for. */
  readonly visits: readonly (readonly number[][])[] | null;
}

/** The reports of all ranges as that of whoever plays them all. */
export function mergeReports(reports: readonly RangeReport[]): RangeReport {
  if (reports.length === 1) return reports[0]!;
  const visits = reports.map((report) => report.visits).filter((each) => each !== null);
  return {
    ended: reports
      .flatMap(({ ended }) => ended)
      .sort((one, other) => one.step - other.step || one.environment - other.environment),
    scoringEnvSteps: reports.reduce((sum, report) => sum + report.scoringEnvSteps, 0),
    visits: visits.length === 0 ? null : visits.reduce(addedVisits),
  };
}

const addedVisits = (
  one: readonly (readonly number[][])[],
  other: readonly (readonly number[][])[],
): readonly (readonly number[][])[] =>
  one.map((features, simulator) =>
    features.map((counts, feature) => counts.map((count, bin) => count + other[simulator]![feature]![bin]!)),
  );
