import { attemptFromRow, type AttemptEnd, type AttemptRecord } from './attempt-rows.ts';
import type { Database } from './database.ts';

/** An attempt as the log of a run tells it. */
export interface LoggedAttempt extends Omit<AttemptRecord, 'outcome'> {
  readonly runId: string;
  /** Null while it runs. */
  readonly outcome: AttemptEnd['outcome'] | null;
  /**
   * The how many-th failure of its class it is in this step of the round, since the run was last begun; null for what did
   * not fail. As many as `execution.retries` has of the class are tried again.
   */
  readonly failureCount: number | null;
  /** Whether the run had been made smaller before it. */
  readonly isShrunk: boolean;
}

export interface AttemptScope {
  readonly experimentId: string;
  readonly runId: string | undefined;
  readonly which: 'all' | 'ended' | 'failed';
  /** Attempts that ended before are left out. */
  readonly endedAfter?: Date | null;
}

/** Attempts of an experiment or of one run in the order in which they ended; what runs still comes last. */
export async function listLoggedAttempts(database: Database, scope: AttemptScope): Promise<LoggedAttempt[]> {
  const { rows } = await database.query(
    `select a.*,
            (select count(*)::int from attempts b
              where a.outcome not in ('done', 'cancelled') and b.outcome = a.outcome
                and b.run_id = a.run_id and b.kind = a.kind and b.round = a.round and b.number <= a.number
                -- A run that ended and was begun again has its budgets anew.
                and not exists (select from events e
                                 where e.run_id = a.run_id and e.kind in ('failed', 'closed', 'paused')
                                   and e.at between b.ended_at and a.started_at)) as failure_count,
            exists (select from attempts c
                     where c.run_id = a.run_id and c.number < a.number and c.next_change is not null) as is_shrunk
       from attempts a join runs r on r.id = a.run_id
      where r.experiment_id = $1 and ($2::text is null or r.id = $2)
        and ($3 = 'all' or a.ended_at is not null)
        and ($3 <> 'failed' or a.outcome <> 'done')
        and ($4::timestamptz is null or a.ended_at > $4)
      order by a.ended_at nulls last, a.run_id, a.number`,
    [scope.experimentId, scope.runId ?? null, scope.which, scope.endedAfter ?? null],
  );
  return rows.map((row) => ({
    ...attemptFromRow(row),
    runId: row['run_id'] as string,
    outcome: row['outcome'] as LoggedAttempt['outcome'],
    failureCount: (row['failure_count'] as number) || null,
    isShrunk: row['is_shrunk'] as boolean,
  }));
}
