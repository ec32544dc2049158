import { RUN_STATES, type RunState } from '../../schemas/records.ts';
import type { Database } from './database.ts';

export type StateCounts = Readonly<Partial<Record<RunState, number>>>;

/** How many runs are in each state, of all experiments, of one, or of one run; states without a run are left out. */
export async function countStates(
  database: Database,
  { experimentId, runId }: { readonly experimentId?: string; readonly runId?: string | undefined } = {},
): Promise<StateCounts> {
  const { rows } = await database.query(
    `select state, count(*)::int as count from runs
      where ($1::text is null or experiment_id = $1) and ($2::text is null or id = $2) group by state`,
    [experimentId ?? null, runId ?? null],
  );
  const counts = new Map(rows.map((row) => [row['state'] as RunState, row['count'] as number]));
  return Object.fromEntries(RUN_STATES.flatMap((state) => (counts.has(state) ? [[state, counts.get(state)!]] : [])));
}
