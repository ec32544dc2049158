import type { EpisodeSummary } from '../../learning/rollout/episode-tally.ts';
import type { EpisodeScores } from '../../learning/strategies/contract.ts';
import type { Database, Row } from './database.ts';

/** Rounds after `after` completed ones, up to `upTo`: those that trained on one decision of a strategy. */
export interface RoundSpan {
  readonly after: number;
  readonly upTo: number;
}

/** The training episodes of one entry of the pool in one round. */
export interface TrainingPart extends EpisodeSummary {
  /** In the pool. */
  readonly position: number;
  readonly name: string;
  readonly scores: EpisodeScores | null;
}

/** The training episodes of the rounds of a span, by entry of the pool and round. */
export async function listTrainingParts(database: Database, runId: string, span: RoundSpan): Promise<TrainingPart[]> {
  const { rows } = await database.query(
    'select * from training_episodes where run_id = $1 and round > $2 and round <= $3 order by position, round',
    [runId, span.after, span.upTo],
  );
  return rows.map((row) => ({
    position: row['position'] as number,
    name: row['name'] as string,
    episodes: row['episodes'] as number,
    returnMean: row['return_mean'] as number,
    returnStd: row['return_std'] as number,
    lengthMean: row['length_mean'] as number,
    successRate: row['success_rate'] as number,
    scores: scoresFromRow(row),
  }));
}

function scoresFromRow(row: Row): EpisodeScores | null {
  if (row['shortfall'] === null) return null;
  return {
    positiveValueLoss: row['positive_value_loss'] as number,
    valueMean: row['value_mean'] as number,
    discountedReturnMax: row['discounted_return_max'] as number,
    shortfall: row['shortfall'] as number,
  };
}

/** What a member in the learners' seats gained in one round's training episodes. */
export interface MemberPart {
  readonly name: string;
  readonly episodes: number;
  readonly returnMean: number;
}

/** The members' training episodes of the rounds of a span, by round. */
export async function listMemberParts(database: Database, runId: string, span: RoundSpan): Promise<MemberPart[]> {
  const { rows } = await database.query(
    `select name, episodes, return_mean from member_episodes
      where run_id = $1 and round > $2 and round <= $3 order by round, name collate "C"`,
    [runId, span.after, span.upTo],
  );
  return rows.map((row) => ({
    name: row['name'] as string,
    episodes: row['episodes'] as number,
    returnMean: row['return_mean'] as number,
  }));
}
