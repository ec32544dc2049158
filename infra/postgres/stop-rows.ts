import type { Database, Queryable } from './database.ts';
import { insertExperimentEvent, insertRunEvent } from './event-rows.ts';
import { IS_FINAL } from './run-rows.ts';

/** What is to be stopped: all runs of an experiment, or one of them. */
export interface StopScope {
  readonly experimentId: string;
  readonly runId: string | undefined;
}

/** Pauses an experiment: what has not begun is PAUSED at once, what runs becomes so after the step it is in. */
export async function pauseExperiment(database: Database, experimentId: string): Promise<void> {
  await database.transaction(async (client) => {
    await client.query('update experiments set paused_at = coalesce(paused_at, now()) where id = $1', [experimentId]);
    const { rowCount } = await client.query(
      `update runs set state = 'PAUSED', reason = 'paused by request' where experiment_id = $1 and state = 'QUEUED'`,
      [experimentId],
    );
    await insertExperimentEvent(client, experimentId, 'paused', `by request; ${rowCount ?? 0} runs had not begun`);
  });
}

/**
 * A run whose experiment is paused becomes PAUSED. One that was resumed meanwhile, or is being cancelled, stays what it is.
 * @returns whether it did
 */
export async function pauseRun(database: Database, runId: string): Promise<boolean> {
  return database.transaction(async (client) => {
    // Whoever resumes or cancels changes the experiment's row first: this waits for it, and it for this.
    const { rows } = await client.query(
      `select e.paused_at from experiments e join runs r on r.experiment_id = e.id where r.id = $1 for share of e`,
      [runId],
    );
    if (rows[0]?.['paused_at'] === null) return false;
    const { rowCount } = await client.query(
      `update runs set state = 'PAUSED', reason = 'paused by request'
        where id = $1 and state not in ${IS_FINAL} and state not in ('PAUSED', 'CANCELLING')`,
      [runId],
    );
    if ((rowCount ?? 0) === 0) return false;
    await insertRunEvent(client, runId, 'paused', 'by request');
    return true;
  });
}

/** What has not begun, or is paused, is CANCELLED at once; what runs is marked as about to be. */
export async function requestCancellation(database: Database, scope: StopScope): Promise<void> {
  await database.transaction(async (client) => {
    if (scope.runId === undefined) await endPause(client, scope.experimentId);
    await client.query(
      `update runs set state = case when state in ('QUEUED', 'PAUSED') then 'CANCELLED' else 'CANCELLING' end,
              finished_at = case when state in ('QUEUED', 'PAUSED') then now() end,
              fence = fence + case when state in ('QUEUED', 'PAUSED') then 1 else 0 end,
              reason = 'cancelled by request'
        where experiment_id = $1 and ($2::text is null or id = $2) and state not in ${IS_FINAL}`,
      [scope.experimentId, scope.runId],
    );
  });
}

/**
 * Ends what is not over by the rows alone, whatever still works on it: the fence is raised, so nothing of it is written
 * any more.
 * @returns the runs that were ended
 */
export async function closeOpenRuns(database: Database, scope: StopScope, reason: string): Promise<string[]> {
  return database.transaction(async (client) => {
    if (scope.runId === undefined) await endPause(client, scope.experimentId);
    const { rows } = await client.query(
      `with closed_attempts as (
         update attempts set ended_at = now(), outcome = 'cancelled', message = $3
          where ended_at is null and run_id in
                (select id from runs where experiment_id = $1 and ($2::text is null or id = $2) and state not in ${IS_FINAL})
       )
       update runs set state = 'CANCELLED', reason = $3, finished_at = now(), fence = fence + 1
        where experiment_id = $1 and ($2::text is null or id = $2) and state not in ${IS_FINAL} returning id`,
      [scope.experimentId, scope.runId, reason],
    );
    const ids = rows.map((row) => row['id'] as string);
    for (const id of ids) await insertRunEvent(client, id, 'closed', `CANCELLED: ${reason}`);
    return ids;
  });
}

/** An experiment without open runs is not paused. */
async function endPause(client: Queryable, experimentId: string): Promise<void> {
  await client.query('update experiments set paused_at = null where id = $1', [experimentId]);
}

/** Cancels the runs that nobody works on: those that have not begun, and those that were about to be cancelled. */
export async function cancelWaitingRuns(client: Queryable, experimentId: string, reason: string): Promise<number> {
  const { rowCount } = await client.query(
    `with closed_attempts as (
       update attempts set ended_at = now(), outcome = 'cancelled', message = $2
        where ended_at is null and run_id in (select id from runs where experiment_id = $1 and state = 'CANCELLING')
     )
     update runs set state = 'CANCELLED', reason = $2, finished_at = now(), fence = fence + 1
      where experiment_id = $1 and state in ('QUEUED', 'CANCELLING')`,
    [experimentId, reason],
  );
  return rowCount ?? 0;
}

/** Whether the next step of a run is not to be begun, because its experiment is paused or the run is over. */
export async function findStop(database: Database, runId: string): Promise<{ isPaused: boolean; isOver: boolean }> {
  const { rows } = await database.query(
    `select r.state in ${IS_FINAL} as is_over, e.paused_at is not null as is_paused
       from runs r join experiments e on e.id = r.experiment_id where r.id = $1`,
    [runId],
  );
  const isOver = rows[0]?.['is_over'] !== false;
  return { isOver, isPaused: !isOver && rows[0]?.['is_paused'] === true };
}

/** Of some runs those that need no process: they are final or paused. */
export async function listResting(database: Database, runIds: readonly string[]): Promise<string[]> {
  const { rows } = await database.query(
    `select id from runs where id = any($1) and (state in ${IS_FINAL} or state = 'PAUSED')`,
    [runIds],
  );
  return rows.map((row) => row['id'] as string);
}
