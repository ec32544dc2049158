import type { Database } from './database.ts';

/** Rows that say how far a run has come: what is committed is never computed again. */

/** The checkpoint after a round; null for round 0, which is the seed's initial weights. */
export async function findCheckpoint(database: Database, runId: string, round: number): Promise<string | null> {
  const { rows } = await database.query('select checkpoint_hash from rounds where run_id = $1 and round = $2', [
    runId,
    round,
  ]);
  return (rows[0]?.['checkpoint_hash'] as string | undefined) ?? null;
}

export async function isEvaluationCommitted(
  database: Database,
  key: { runId: string; round: number; checkpoint: string },
): Promise<boolean> {
  const { rows } = await database.query(
    'select 1 from checkpoint_scores where run_id = $1 and round = $2 and checkpoint = $3',
    [key.runId, key.round, key.checkpoint],
  );
  return rows.length > 0;
}

/**
 * The evaluated round that was best on validation, the earliest of equals; null without a validation panel. NaN is
 * never best.
 */
export async function findBestRound(database: Database, runId: string): Promise<number | null> {
  const { rows } = await database.query(
    `select round from checkpoint_scores
      where run_id = $1 and checkpoint = 'round' and validation_return is not null and validation_return <> 'NaN'
      order by validation_return desc, round limit 1`,
    [runId],
  );
  return (rows[0]?.['round'] as number | undefined) ?? null;
}

/** What a run has cost: seconds of training rounds, and the largest resident memory of any attempt. */
export async function findRunCost(database: Database, runId: string): Promise<{ wallS: number; peakRssMib: number }> {
  const { rows } = await database.query(
    `select (select coalesce(sum(wall_s), 0) from rounds where run_id = $1) as wall_s,
            (select coalesce(max(peak_rss_mib), 0) from attempts where run_id = $1) as peak_rss_mib`,
    [runId],
  );
  return { wallS: rows[0]!['wall_s'] as number, peakRssMib: rows[0]!['peak_rss_mib'] as number };
}
