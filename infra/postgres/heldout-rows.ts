import type { CurvePoint } from '../../learning/measures/learning-curve.ts';
import type { EvaluatedRound } from '../../learning/measures/rise-then-fall.ts';
import type { Database } from './database.ts';

/** How a run's held-out returns went on the way. */
export interface HeldoutHistory {
  /** Evaluated rounds in order, with the returns of every test simulator and episode. */
  readonly rounds: readonly EvaluatedRound[];
  /** The held-out return over env steps of training. */
  readonly curve: readonly CurvePoint[];
  /** Mean of the random policy over the test panel; null where nothing is held out. */
  readonly randomReturn: number | null;
}

/** The evaluated rounds of one run. */
export async function findHeldoutHistory(database: Database, runId: string): Promise<HeldoutHistory> {
  const scores = await database.query(
    `select c.round, c.heldout_return, c.heldout_return - c.heldout_gain as random_return, coalesce(t.env_steps, 0) as env_steps
       from checkpoint_scores c left join rounds t on t.run_id = c.run_id and t.round = c.round
      where c.run_id = $1 and c.checkpoint = 'round' and c.heldout_return is not null order by c.round`,
    [runId],
  );
  const episodes = await database.query(
    `select round, array_agg(return order by episode) as returns from episodes
      where run_id = $1 and checkpoint = 'round' and panel = 'test' group by round, position order by round, position`,
    [runId],
  );
  return {
    rounds: scores.rows.map(({ round }) => ({
      round: round as number,
      returns: episodes.rows.filter((row) => row['round'] === round).map((row) => row['returns'] as number[]),
    })),
    curve: scores.rows.map((row) => ({
      envSteps: row['env_steps'] as number,
      value: row['heldout_return'] as number,
    })),
    randomReturn: (scores.rows[0]?.['random_return'] as number | undefined) ?? null,
  };
}
