import type { Database, Queryable } from './database.ts';

/** A file of a run: what it is, the hash it is stored under, and its size. */
export interface ArtifactRecord {
  readonly kind: string;
  readonly hash: string;
  readonly bytes: number;
}

/** Records that a run has a file since a round; recording it twice is recording it once. */
export async function insertArtifact(
  client: Queryable,
  runId: string,
  round: number,
  artifact: ArtifactRecord,
): Promise<void> {
  await client.query(
    `insert into artifacts (run_id, round, kind, hash, bytes) values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [runId, round, artifact.kind, artifact.hash, artifact.bytes],
  );
}

/** Where a policy comes from: the checkpoint of a run after so many rounds; null when no row tells. */
export async function findPolicyOrigin(
  database: Database,
  hash: string,
): Promise<{ runId: string; round: number } | null> {
  const { rows } = await database.query(
    `select run_id, round from artifacts where hash = $1 and kind <> 'checkpoint' order by round, run_id limit 1`,
    [hash],
  );
  const [row] = rows;
  return row === undefined ? null : { runId: row['run_id'] as string, round: row['round'] as number };
}
