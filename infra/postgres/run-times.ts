import type { Database } from './database.ts';
import { BY_RUN, RUNS } from './export-table.ts';

/** When a run began. */
export interface RunTime {
  readonly variant: string;
  readonly seed: number;
  readonly startedAt: Date;
}

/** The runs of an experiment in the order of the spec; one that has not begun, or is equal to another, counts from its submission. */
export async function listRunTimes(database: Database, experimentId: string): Promise<RunTime[]> {
  const { rows } = await database.query(
    `select r.variant, r.seed, coalesce(r.started_at, r.created_at) as started_at from ${RUNS} order by ${BY_RUN}`,
    [experimentId],
  );
  return rows.map((row) => ({
    variant: row['variant'] as string,
    seed: row['seed'] as number,
    startedAt: row['started_at'] as Date,
  }));
}
