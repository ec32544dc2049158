import type { SensitivityRow } from '../../learning/sensitivity.ts';
import type { Database, Queryable } from './database.ts';

/** Stores how the last policy of a run does where one thing was changed; twice is once. */
export async function insertSensitivities(
  client: Queryable,
  runId: string,
  records: readonly SensitivityRow[],
): Promise<void> {
  for (const [position, record] of records.entries()) {
    const { kind, name, factor, episodes, returnMean, loss, isCliff } = record;
    await client.query(
      `insert into sensitivities (run_id, kind, position, name, factor, episodes, return_mean, loss, is_cliff)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
      [runId, kind, position, name, factor, episodes, returnMean, loss, isCliff],
    );
  }
}

/** The perturbation curve and the partner sweep of a run, in their order. */
export async function listSensitivities(database: Database, runId: string): Promise<SensitivityRow[]> {
  const { rows } = await database.query('select * from sensitivities where run_id = $1 order by position', [runId]);
  return rows.map((row) => ({
    kind: row['kind'] as SensitivityRow['kind'],
    name: row['name'] as string,
    factor: row['factor'] as number | null,
    episodes: row['episodes'] as number,
    returnMean: row['return_mean'] as number,
    loss: row['loss'] as number,
    isCliff: row['is_cliff'] as boolean | null,
  }));
}
