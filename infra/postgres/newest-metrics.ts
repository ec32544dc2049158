import type { Database } from './database.ts';

/** What training reported of the last completed round, by name. */
export type NewestMetrics = Readonly<Record<string, number>>;

/** Of the runs of an experiment that are in hand, by run; of one that has completed no round, nothing. */
export async function findNewestMetrics(
  database: Database,
  experimentId: string,
): Promise<ReadonlyMap<string, NewestMetrics>> {
  const { rows } = await database.query(
    `select r.id, json_object_agg(m.name, m.value::text) as metrics
       from runs r join metrics m on m.run_id = r.id and m.round = r.rounds_completed
      where r.experiment_id = $1 and r.state in ('RUNNING', 'RETRYING', 'CANCELLING') group by r.id`,
    [experimentId],
  );
  return new Map(
    rows.map((row) => [
      row['id'] as string,
      // JSON has no NaN, and the text of a number has.
      Object.fromEntries(
        Object.entries(row['metrics'] as Record<string, string>).map(([name, text]) => [name, Number(text)]),
      ),
    ]),
  );
}
