import type { SensitivityRow } from '../../learning/measures/sensitivity.ts';
import type { Database, Queryable } from './database.ts';

/** What the last policy of a run does where one thing was changed. */
export interface RunSensitivity extends SensitivityRow {
  readonly variant: string;
  readonly seed: number;
}

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

/**
 * The perturbation curve and the partner sweep of every run that has measured them, variant by variant in the order of the
 * spec; a SKIPPED run shows those of the equal run finished before.
 */
export async function listSensitivities(database: Database, experimentId: string): Promise<RunSensitivity[]> {
  const { rows } = await database.query(
    `select r.variant, r.seed, t.kind, t.name, t.factor, t.episodes, t.return_mean, t.loss, t.is_cliff
       from (select *, coalesce(same_as, id) as source_id from runs where experiment_id = $1) r
       join variants v on v.experiment_id = r.experiment_id and v.name = r.variant
       join sensitivities t on t.run_id = r.source_id
      order by v.position, r.seed, t.position`,
    [experimentId],
  );
  return rows.map((row) => ({
    variant: row['variant'] as string,
    seed: row['seed'] as number,
    kind: row['kind'] as SensitivityRow['kind'],
    name: row['name'] as string,
    factor: row['factor'] as number | null,
    episodes: row['episodes'] as number,
    returnMean: row['return_mean'] as number,
    loss: row['loss'] as number,
    isCliff: row['is_cliff'] as boolean | null,
  }));
}
