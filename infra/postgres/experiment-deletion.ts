import { ThawError } from '../../schemas/errors.ts';
import { isFinalState, type RunState } from '../../schemas/records.ts';
import type { Database, Queryable } from './database.ts';

const SHOWN_MAX = 5;

export interface Deletion {
  readonly runs: number;
  /** Artifacts that the experiment had; others may have them too. */
  readonly hashes: ReadonlySet<string>;
  /** Runs of other experiments that had shown the values of one of these. */
  readonly orphans: readonly string[];
}

/**
 * Deletes an experiment with everything that belongs to it alone.
 * @param options.isForced also when SKIPPED runs of other experiments show its values: they become CANCELLED, and are
 *   computed when they are resumed
 * @throws REQUEST_CONFLICT when a run is not over, or others show the values of one
 */
export async function deleteExperiment(
  database: Database,
  experimentId: string,
  { isForced }: { isForced: boolean },
): Promise<Deletion> {
  return database.transaction(async (client) => {
    // From here on nobody queues its runs again, or skips one because of them. The experiment's row first, as everybody does.
    await client.query('select 1 from experiments where id = $1 for update', [experimentId]);
    const { rows: runs } = await client.query('select id, state from runs where experiment_id = $1 for update', [
      experimentId,
    ]);
    refuseOpen(
      experimentId,
      runs.filter(({ state }) => !isFinalState(state as RunState)).map(({ id }) => id as string),
    );
    const orphans = await listOrphans(client, experimentId);
    if (!isForced) refuseOrphans(experimentId, orphans);
    const reason = `the run that it was equal to was deleted with ${experimentId}`;
    await client.query(
      `update runs set state = 'CANCELLED', same_as = null, rounds_completed = 0, env_steps = 0, reason = $2 where id = any($1)`,
      [orphans, reason],
    );
    const artifacts = await client.query(
      `select hash from artifacts where run_id in (select id from runs where experiment_id = $1)
        union select hash from replay_segments where run_id in (select id from runs where experiment_id = $1)`,
      [experimentId],
    );
    await client.query('delete from experiments where id = $1', [experimentId]);
    await deleteUnusedSimulators(client);
    return { runs: runs.length, hashes: new Set(artifacts.rows.map(({ hash }) => hash as string)), orphans };
  });
}

function refuseOpen(experimentId: string, open: readonly string[]): void {
  if (open.length === 0) return;
  throw new ThawError('REQUEST_CONFLICT', `${experimentId} has runs that are not over: ${shown(open)}.`, {
    remedy: `\`thaw cancel ${experimentId}\` ends them; then delete it.`,
  });
}

function refuseOrphans(experimentId: string, orphans: readonly string[]): void {
  if (orphans.length === 0) return;
  throw new ThawError(
    'REQUEST_CONFLICT',
    `Runs of other experiments were SKIPPED because they equal runs of ${experimentId}, and show its values: ${shown(orphans)}.`,
    {
      remedy:
        'With --force it is deleted all the same; these runs become CANCELLED, and `thaw resume` computes them anew.',
    },
  );
}

function shown(ids: readonly string[]): string {
  const rest = ids.length - SHOWN_MAX;
  return `${ids.slice(0, SHOWN_MAX).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Runs of other experiments that show values of this one. */
async function listOrphans(client: Queryable, experimentId: string): Promise<string[]> {
  const { rows } = await client.query(
    `select r.id from runs r join runs o on o.id = r.same_as
      where o.experiment_id = $1 and r.experiment_id <> $1 order by r.id`,
    [experimentId],
  );
  return rows.map(({ id }) => id as string);
}

/**
 * Simulators with a policy in them that nothing refers to any more would keep its file for ever; others cost nothing, and
 * may come again.
 */
async function deleteUnusedSimulators(client: Queryable): Promise<void> {
  // A transaction that has found a simulator stored, and is about to refer to it, is over before this returns.
  await client.query('lock table simulators in exclusive mode');
  const { rows } = await client.query(
    `select c.conrelid::regclass::text as table, a.attname::text as column
       from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confrelid = 'simulators'::regclass`,
  );
  const uses = [...rows, { table: 'panel_simulators', column: 'simulator_hash' }]
    .map(({ table, column }) => `not exists (select from ${String(table)} u where u.${String(column)} = s.hash)`)
    .join(' and ');
  await client.query(`delete from simulators s where s.simulator::text like '%"artifact"%' and ${uses}`);
}
