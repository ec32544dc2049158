import type { Queryable } from './database.ts';

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
