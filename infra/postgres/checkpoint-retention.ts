import type { Database } from './database.ts';

/**
 * Gives up the checkpoints that a run needs no more: kept are those of the last two completed rounds and of every
 * evaluated round. A checkpoint that an equal run, which writes the same bytes, may still read is kept as well.
 * @returns hashes of the artifacts that nobody refers to any more
 */
export async function releaseCheckpoints(
  database: Database,
  runId: string,
  roundsCompleted: number,
): Promise<string[]> {
  const { rows } = await database.query(
    `delete from artifacts a using runs r
      where a.run_id = $1 and r.id = a.run_id and a.kind = 'checkpoint' and a.round < $2 - 1
        and not exists (select from checkpoint_scores s where s.run_id = a.run_id and s.round = a.round)
        and not exists (select from runs o where o.variant_hash = r.variant_hash and o.seed = r.seed and o.id <> r.id)
        and not exists (select from artifacts o where o.hash = a.hash and (o.run_id, o.round, o.kind) <> (a.run_id, a.round, a.kind))
      returning a.hash`,
    [runId, roundsCompleted],
  );
  return rows.map((row) => row['hash'] as string);
}
