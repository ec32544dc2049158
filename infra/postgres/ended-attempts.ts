import type { Database } from './database.ts';

/** An attempt that is over, as the log of a run tells it. */
export interface EndedAttempt {
  readonly runId: string;
  readonly number: number;
  readonly kind: string;
  readonly round: number;
  readonly endedAt: Date;
  readonly outcome: string;
  readonly message: string | null;
  /** Last lines that the training process wrote. */
  readonly logTail: string | null;
}

/** Attempts of an experiment or of one run that are over, in the order in which they ended. */
export async function listEndedAttempts(
  database: Database,
  { experimentId, runId, failuresOnly }: { experimentId: string; runId: string | undefined; failuresOnly: boolean },
): Promise<EndedAttempt[]> {
  const { rows } = await database.query(
    `select a.run_id, a.number, a.kind, a.round, a.ended_at, a.outcome, a.message, a.log_tail
       from attempts a join runs r on r.id = a.run_id
      where r.experiment_id = $1 and ($2::text is null or r.id = $2) and a.ended_at is not null
        and not ($3 and a.outcome = 'done')
      order by a.ended_at, a.run_id, a.number`,
    [experimentId, runId ?? null, failuresOnly],
  );
  return rows.map((row) => ({
    runId: row['run_id'] as string,
    number: row['number'] as number,
    kind: row['kind'] as string,
    round: row['round'] as number,
    endedAt: row['ended_at'] as Date,
    outcome: row['outcome'] as string,
    message: row['message'] as string | null,
    logTail: row['log_tail'] as string | null,
  }));
}
