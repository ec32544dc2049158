import type { AttemptKind } from '../../schemas/records.ts';
import type { Database } from './database.ts';

/** When an attempt began and ended, in milliseconds of the database's clock. */
export interface RecentAttempt {
  readonly runId: string;
  readonly variant: string;
  readonly kind: AttemptKind;
  readonly round: number;
  readonly startedMs: number;
  /** Null while it runs. */
  readonly endedMs: number | null;
  readonly isDone: boolean;
  /** End of the run's attempt before; null for its first. */
  readonly previousEndedMs: number | null;
}

export interface RecentAttempts {
  readonly attempts: readonly RecentAttempt[];
  /** The database's clock. */
  readonly nowMs: number;
}

const RUNS_IN_HAND_MAX = 500;
const RUNS_OVER_MAX = 100;
/** Of each kind and run, the newest. */
const ATTEMPTS_MAX = 8;

/**
 * What steps of an experiment have taken of late: the newest attempts of the runs in hand and of those that ended last. So
 * much is enough to know what a step costs, however many runs there are.
 */
export async function listRecentAttempts(database: Database, experimentId: string): Promise<RecentAttempts> {
  const { rows } = await database.query(
    `with looked_at as (
       (select id, variant from runs
         where experiment_id = $1 and state in ('RUNNING', 'RETRYING', 'CANCELLING') limit $2)
       union all
       (select id, variant from runs where experiment_id = $1 and started_at is not null and finished_at is not null
         order by finished_at desc limit $3))
     select now() as at, r.id, r.variant, a.kind, a.round, a.started_at, a.ended_at, a.outcome, p.ended_at as previous_ended_at
       from (select) one
       left join looked_at r on true
       left join lateral (
         select newest.* from unnest(array['adapt_pool', 'train_round', 'evaluate_panels', 'finish_run']) k
           cross join lateral (select * from attempts where run_id = r.id and kind = k order by number desc limit $4) newest
       ) a on true
       left join attempts p on p.run_id = r.id and p.number = a.number - 1
      order by r.id, a.number`,
    [experimentId, RUNS_IN_HAND_MAX, RUNS_OVER_MAX, ATTEMPTS_MAX],
  );
  const ms = (moment: unknown): number | null => (moment as Date | null)?.getTime() ?? null;
  return {
    nowMs: ms(rows[0]!['at'])!,
    attempts: rows
      .filter((row) => row['kind'] !== null)
      .map((row) => ({
        runId: row['id'] as string,
        variant: row['variant'] as string,
        kind: row['kind'] as AttemptKind,
        round: row['round'] as number,
        startedMs: ms(row['started_at'])!,
        endedMs: ms(row['ended_at']),
        isDone: row['outcome'] === 'done',
        previousEndedMs: ms(row['previous_ended_at']),
      })),
  };
}
