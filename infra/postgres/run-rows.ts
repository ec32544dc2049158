import { ThawError } from '../../schemas/errors.ts';
import { FINAL_STATES, type RunContext, type RunRecord, type RunState } from '../../schemas/records.ts';
import type { Execution, ResolvedVariant } from '../../schemas/resolved-experiment.ts';
import type { Database, Queryable, Row } from './database.ts';

const RUN_COLUMNS = `r.id, r.experiment_id, r.variant, r.seed, r.state, r.reason, r.rounds_completed, r.env_steps,
  (select count(*) from attempts a where a.run_id = r.id) as attempts`;
/** The final states, as they stand after `in`. */
export const IS_FINAL = `(${FINAL_STATES.map((state) => `'${state}'`).join(', ')})`;

/** A run with what a watcher wants to see of it. */
export interface RunStatus extends RunRecord {
  readonly roundCount: number;
  readonly progressEnvSteps: number | null;
  readonly progressAt: Date | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

export async function findRun(database: Database, id: string): Promise<RunContext> {
  const { rows } = await database.query(
    `select ${RUN_COLUMNS}, r.variant_hash, r.shrinks, v.resolved, e.execution, e.paused_at from runs r
       join variants v on v.experiment_id = r.experiment_id and v.name = r.variant
       join experiments e on e.id = r.experiment_id where r.id = $1`,
    [id],
  );
  const [row] = rows;
  if (row === undefined) throw new ThawError('REQUEST_UNKNOWN_ID', `No run is called "${id}".`);
  return {
    ...runFromRow(row),
    variantHash: row['variant_hash'] as string,
    resolved: row['resolved'] as ResolvedVariant,
    execution: row['execution'] as Execution,
    isPaused: row['paused_at'] !== null,
    shrinks: row['shrinks'] as number,
  };
}

// A variant's JSON is read once and not for each of its runs: of 5 000 runs that took three quarters of the time.
const SELECT_STATUS = `with planned as materialized (
    select name, (resolved->'budget'->>'rounds')::int as round_count from variants where experiment_id = $1)
  select ${RUN_COLUMNS}, p.round_count, r.progress_env_steps, r.progress_at, r.started_at, r.finished_at
    from runs r join planned p on p.name = r.variant where r.experiment_id = $1`;

/** All runs of an experiment, in the order in which they are started. */
export async function listRuns(database: Database, experimentId: string): Promise<RunStatus[]> {
  const { rows } = await database.query(`${SELECT_STATUS} order by r.position`, [experimentId]);
  return rows.map(statusFromRow);
}

/**
 * Runs of an experiment that may have changed since somebody looked: those in hand, those that were in hand then, and
 * those that have ended since. Runs that wait are not among them.
 */
export async function listChangedRuns(
  database: Database,
  experimentId: string,
  { inHand, endedSince }: { inHand: readonly string[]; endedSince: Date | null },
): Promise<RunStatus[]> {
  const { rows } = await database.query(
    `${SELECT_STATUS} and (r.id = any($2) or r.finished_at >= $3 or (r.state <> 'QUEUED' and r.state not in ${IS_FINAL}))
      order by r.position`,
    [experimentId, inHand, endedSince],
  );
  return rows.map(statusFromRow);
}

function statusFromRow(row: Row): RunStatus {
  return {
    ...runFromRow(row),
    roundCount: row['round_count'] as number,
    progressEnvSteps: row['progress_env_steps'] as number | null,
    progressAt: row['progress_at'] as Date | null,
    startedAt: row['started_at'] as Date | null,
    finishedAt: row['finished_at'] as Date | null,
  };
}

/** Ids of the next runs that are neither final nor paused, in order; `afterPosition` is −1 at first. */
export async function pageOpenRuns(
  database: Database,
  experimentId: string,
  { afterPosition, limit }: { afterPosition: number; limit: number },
): Promise<{ id: string; position: number }[]> {
  const { rows } = await database.query(
    `select id, position from runs
      where experiment_id = $1 and position > $2 and state not in ${IS_FINAL} and state <> 'PAUSED'
      order by position limit $3`,
    [experimentId, afterPosition, limit],
  );
  return rows.map((row) => ({ id: row['id'] as string, position: row['position'] as number }));
}

/** Experiments that have runs which somebody must look after: neither final nor paused. */
export async function listOpenExperiments(database: Database): Promise<{ id: string }[]> {
  const { rows } = await database.query(
    `select id from experiments e
      where exists (select from runs where experiment_id = e.id and state not in ${IS_FINAL} and state <> 'PAUSED')
      order by created_at`,
  );
  return rows.map((row) => ({ id: row['id'] as string }));
}

/** A run becomes SKIPPED when an equal one has succeeded meanwhile. @returns whether it did */
export async function skipIfEqualSucceeded(database: Database, id: string): Promise<boolean> {
  return database.transaction(async (client) => (await skipEqualRuns(client, 'id', id)) > 0);
}

/**
 * Runs that are not final become SKIPPED where an equal one, in whatever experiment, has succeeded; of several the first.
 * A run of the time before everything was measured that is now, which shows in its costs, stands for no other.
 * @param column whether `value` names one run or all runs of an experiment
 * @returns how many
 */
export async function skipEqualRuns(client: Queryable, column: 'id' | 'experiment_id', value: string): Promise<number> {
  const { rows } = await client.query(
    `update runs set state = 'SKIPPED', same_as = equal.id, finished_at = now(), rounds_completed = equal.rounds_completed,
            env_steps = equal.env_steps, reason = 'equal to the finished run ' || equal.id, fence = fence + 1
       from (select distinct on (r.id) r.id as skipped_id, o.id, o.rounds_completed, o.env_steps from runs r
               join runs o on o.variant_hash = r.variant_hash and o.seed = r.seed and o.state = 'SUCCEEDED' and o.id <> r.id
              where r.${column} = $1
                and exists (select from costs c where c.run_id = o.id and c.purpose = 'evaluation')
              order by r.id, o.finished_at) equal
      where runs.id = equal.skipped_id and runs.state not in ${IS_FINAL} returning runs.id`,
    [value],
  );
  if (rows.length === 0) return 0;
  // One that was being worked on before may have left an attempt behind that never reported its end.
  await client.query(
    `update attempts set ended_at = now(), outcome = 'lost', message = 'an equal run has succeeded'
      where ended_at is null and run_id = any($1)`,
    [rows.map((row) => row['id'])],
  );
  return rows.length;
}

/** Moves a run that is not final into another state. A final state stays what it is. @returns whether it moved */
export async function setRunState(
  client: Queryable,
  id: string,
  state: RunState,
  reason: string | null,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `with closed_attempts as (
       update attempts set ended_at = now(), outcome = case when $2 = 'CANCELLED' then 'cancelled' else 'lost' end,
              message = coalesce($3, 'the run ended')
        where run_id = $1 and ended_at is null and $2 in ${IS_FINAL}
     )
     update runs set state = $2, reason = $3,
            finished_at = case when $2 in ${IS_FINAL} then now() end,
            -- A final state also ends the authority of whatever attempt is still running somewhere.
            fence = fence + case when $2 in ${IS_FINAL} then 1 else 0 end
      where id = $1 and state not in ${IS_FINAL}`,
    [id, state, reason],
  );
  return (rowCount ?? 0) > 0;
}

/** Shows how far a running attempt has come. A superseded attempt shows nothing. */
export async function reportProgress(
  database: Database,
  { runId, attempt, envSteps }: { runId: string; attempt: number; envSteps: number },
): Promise<void> {
  await database.query('update runs set progress_env_steps = $3, progress_at = now() where id = $1 and fence = $2', [
    runId,
    attempt,
    envSteps,
  ]);
}

function runFromRow(row: Row): RunRecord {
  return {
    id: row['id'] as string,
    experimentId: row['experiment_id'] as string,
    variant: row['variant'] as string,
    seed: row['seed'] as number,
    state: row['state'] as RunState,
    reason: row['reason'] as string | null,
    roundsCompleted: row['rounds_completed'] as number,
    envSteps: row['env_steps'] as number,
    attempts: row['attempts'] as number,
  };
}
