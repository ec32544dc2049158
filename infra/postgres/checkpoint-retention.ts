import type { ArtifactStore } from '../artifacts/artifact-store.ts';
import { mayDeleteArtifacts } from './artifact-lock.ts';
import { findOldestAttemptS } from './artifact-references.ts';
import type { Database, Queryable } from './database.ts';

/** What the clocks of a database and of a file system may differ by. */
const CLOCKS_MS = 5_000;

/** Checkpoints of a run `r` that it needs no more: all but those of the last two rounds and of every evaluated one. */
const IS_OVER = `a.run_id = $1 and r.id = a.run_id and a.kind = 'checkpoint' and a.round < $2 - 1
  and not exists (select from checkpoint_scores s where s.run_id = a.run_id and s.round = a.round)`;

/** That another run may still read the bytes, or is about to commit a row that refers to them. */
const IS_SHARED = `exists (select from runs o where o.variant_hash = r.variant_hash and o.seed = r.seed and o.id <> r.id)
  or exists (select from artifacts o where o.hash = a.hash and (o.run_id, o.round, o.kind) <> (a.run_id, a.round, a.kind))
  or exists (select from runs o join attempts t on t.run_id = o.id and t.number = o.fence
              where o.state in ('RUNNING', 'RETRYING', 'CANCELLING') and o.seed = r.seed and o.id <> r.id
                and t.ended_at is null and t.kind = 'train_round' and t.round + 1 = a.round)`;

/**
 * Gives up the checkpoints that a run needs no more, and deletes those that nobody else has: an equal run, which writes
 * the same bytes, a fork, or a run in the middle of the same round. While a backup is made all stay; the next round
 * comes back to them.
 */
export async function releaseCheckpoints(
  database: Database,
  artifacts: Pick<ArtifactStore, 'remove'>,
  { runId, roundsCompleted }: { runId: string; roundsCompleted: number },
): Promise<void> {
  await database.transaction(async (client) => {
    if (!(await mayDeleteArtifacts(client))) return;
    // Whoever writes the same bytes from now on touches them, and keeps them by that.
    const untouchedSinceMs = Date.now();
    // Waits for a fork that is taking them over, in a statement of its own: the next one sees what the fork committed.
    await client.query(`select 1 from artifacts a, runs r where ${IS_OVER} for update of a`, [runId, roundsCompleted]);
    const { rows } = await client.query(
      `delete from artifacts a using runs r where ${IS_OVER} and not (${IS_SHARED}) returning a.hash`,
      [runId, roundsCompleted],
    );
    // Inside the transaction, so that no backup begins before they are gone.
    for (const row of rows) await artifacts.remove(row['hash'] as string, { untouchedSinceMs });
    const segments = await releaseSegments(client, runId);
    // Another run may have written the same bytes, and not yet committed the row that names them.
    const openMs = 1000 * (await findOldestAttemptS(client));
    const moment = { untouchedSinceMs: openMs === 0 ? untouchedSinceMs : untouchedSinceMs - openMs - CLOCKS_MS };
    for (const hash of segments) await artifacts.remove(hash, moment);
  });
}

/** Gives up what the checkpoints listed that the run has given up. @returns segments that no checkpoint lists any more */
async function releaseSegments(client: Queryable, runId: string): Promise<string[]> {
  const { rows } = await client.query(
    `delete from replay_segments s
      where s.run_id = $1 and not exists (
        select from artifacts a where a.run_id = s.run_id and a.round = s.round and a.kind = 'checkpoint')
      returning s.hash`,
    [runId],
  );
  const released = [...new Set(rows.map((row) => row['hash'] as string))];
  const kept = await client.query('select distinct hash from replay_segments where hash = any($1)', [released]);
  const listed = new Set(kept.rows.map((row) => row['hash'] as string));
  return released.filter((hash) => !listed.has(hash));
}
