import type { RunCounts } from '../../learning/results/state-counts.ts';
import type { RunState } from '../../schemas/records.ts';
import type { Database, Row } from './database.ts';

/** An experiment as a list shows it, without anything of its results. */
export interface ExperimentSummary {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly family: string;
  readonly createdAt: Date;
  readonly runs: RunCounts;
}

/**
 * Newest first.
 * @param page.after the id of the last one of the page before
 * @param page.name what stands somewhere in the name, in whatever case
 */
export async function listExperiments(
  database: Database,
  { limit, after = null, name = null }: { limit: number; after?: string | null; name?: string | null },
): Promise<ExperimentSummary[]> {
  const { rows } = await database.query(
    `${SELECT_SUMMARY}
       from (select * from experiments
              where ($2::text is null or (created_at, id) < (select created_at, id from experiments where id = $2))
                and ($3::text is null or strpos(lower(name), lower($3)) > 0)
              order by created_at desc, id desc limit $1) e
       order by e.created_at desc, e.id desc`,
    [limit, after, name],
  );
  return rows.map(summaryFromRow);
}

/** The same of one experiment that is there. */
export async function findSummary(database: Database, id: string): Promise<ExperimentSummary> {
  const { rows } = await database.query(`${SELECT_SUMMARY} from experiments e where e.id = $1`, [id]);
  return summaryFromRow(rows[0]!);
}

// All variants are of one family; the first one's JSON alone is read, which is small beside the whole experiment's.
const SELECT_SUMMARY = `select e.id, e.name, e.version, e.created_at,
       (select v.resolved ->> 'family' from variants v where v.experiment_id = e.id and v.position = 0) as family,
       (select coalesce(json_object_agg(c.state, c.count), '{}')
          from (select state, count(*) from runs where experiment_id = e.id group by state) c) as runs`;

function summaryFromRow(row: Row): ExperimentSummary {
  return {
    id: row['id'] as string,
    name: row['name'] as string,
    version: row['version'] as number,
    family: row['family'] as string,
    createdAt: row['created_at'] as Date,
    runs: row['runs'] as RunCounts,
  };
}

/** Runs of all experiments by state. */
export async function countRuns(database: Database): Promise<RunCounts> {
  const { rows } = await database.query('select state, count(*) from runs group by state');
  return Object.fromEntries(rows.map((row) => [row['state'] as RunState, row['count'] as number]));
}
