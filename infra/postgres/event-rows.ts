import type { Database, Queryable } from './database.ts';

export interface EventRecord {
  readonly id: number;
  readonly runId: string | null;
  readonly at: Date;
  readonly kind: string;
  readonly message: string;
}

/** Adds a line to the log of a run and of its experiment. */
export async function insertRunEvent(client: Queryable, runId: string, kind: string, message: string): Promise<void> {
  await client.query(
    `insert into events (experiment_id, run_id, kind, message) select experiment_id, id, $2, $3 from runs where id = $1`,
    [runId, kind, message],
  );
}

/** The same, unless the newest line of the run is of this kind: what goes on is said once. */
export async function insertRunEventOnce(
  client: Queryable,
  runId: string,
  kind: string,
  message: string,
): Promise<void> {
  await client.query(
    `insert into events (experiment_id, run_id, kind, message) select experiment_id, id, $2, $3 from runs
      where id = $1 and $2 is distinct from (select kind from events where run_id = $1 order by id desc limit 1)`,
    [runId, kind, message],
  );
}

export async function insertExperimentEvent(
  client: Queryable,
  experimentId: string,
  kind: string,
  message: string,
): Promise<void> {
  await client.query('insert into events (experiment_id, kind, message) values ($1, $2, $3)', [
    experimentId,
    kind,
    message,
  ]);
}

/** Events of an experiment and all its runs, or of one run, oldest first, after a given one. */
export async function listEvents(
  database: Database,
  scope: { experimentId: string; runId?: string | undefined },
  { after, limit }: { after: number; limit: number },
): Promise<EventRecord[]> {
  const { rows } = await database.query(
    `select id, run_id, at, kind, message from events
      where experiment_id = $1 and ($2::text is null or run_id = $2) and id > $3 order by id limit $4`,
    [scope.experimentId, scope.runId ?? null, after, limit],
  );
  return rows.map((row) => ({
    id: row['id'] as number,
    runId: row['run_id'] as string | null,
    at: row['at'] as Date,
    kind: row['kind'] as string,
    message: row['message'] as string,
  }));
}
