import type { RunCounts } from '../../learning/results/state-counts.ts';
import type { RunState } from '../../schemas/records.ts';
import type { Database } from './database.ts';

/** An experiment as a list shows it, without anything of its results. */
export interface ExperimentSummary {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly createdAt: Date;
  readonly runs: RunCounts;
}

/** Newest first; `after` is the id of the last one of the page before. */
export async function listExperiments(
  database: Database,
  { limit, after = null }: { limit: number; after?: string | null },
): Promise<ExperimentSummary[]> {
  const { rows } = await database.query(
    `select e.id, e.name, e.version, e.created_at, coalesce(json_object_agg(c.state, c.count) filter (where c.state is not null), '{}') as runs
       from (select * from experiments
              where $2::text is null or (created_at, id) < (select created_at, id from experiments where id = $2)
              order by created_at desc, id desc limit $1) e
       left join lateral (select state, count(*) from runs where experiment_id = e.id group by state) c on true
      group by e.id, e.name, e.version, e.created_at order by e.created_at desc, e.id desc`,
    [limit, after],
  );
  return rows.map((row) => ({
    id: row['id'] as string,
    name: row['name'] as string,
    version: row['version'] as number,
    createdAt: row['created_at'] as Date,
    runs: row['runs'] as RunCounts,
  }));
}

/** Runs of all experiments by state. */
export async function countRuns(database: Database): Promise<RunCounts> {
  const { rows } = await database.query('select state, count(*) from runs group by state');
  return Object.fromEntries(rows.map((row) => [row['state'] as RunState, row['count'] as number]));
}
