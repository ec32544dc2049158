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

/** The checkpoints after the rounds of a run up to one, the newest first; that of round 0 is not stored. */
export async function listCheckpoints(
  database: Database,
  runId: string,
  { upTo }: { upTo: number },
): Promise<{ round: number; hash: string }[]> {
  const { rows } = await database.query(
    'select round, checkpoint_hash from rounds where run_id = $1 and round <= $2 order by round desc',
    [runId, upTo],
  );
  return rows.map((row) => ({ round: row['round'] as number, hash: row['checkpoint_hash'] as string }));
}

/** The run that trained a round of a run: itself, or the one whose rounds it took over when it was forked. */
export async function findTrainedBy(database: Database, runId: string, round: number): Promise<string> {
  const { rows } = await database.query(
    `with recursive origin as (
       select id, forked_from, forked_round, 0 as depth from runs where id = $1
       union all
       select r.id, r.forked_from, r.forked_round, o.depth + 1 from origin o join runs r on r.id = o.forked_from
        where o.forked_round >= $2
     ) select id from origin order by depth desc limit 1`,
    [runId, round],
  );
  return (rows[0]?.['id'] as string | undefined) ?? runId;
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
