import type { ArtifactReference } from '../artifacts/artifact-store.ts';
import { type AttemptToken, commitInAttempt } from './attempt-rows.ts';
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

/** Records what the checkpoint after a round lists of former blocks of experience. */
export async function insertReplaySegments(
  client: Queryable,
  runId: string,
  round: number,
  segments: readonly ArtifactReference[],
): Promise<void> {
  await client.query(
    `insert into replay_segments (run_id, round, hash, bytes) select $1, $2, * from unnest($3::text[], $4::bigint[])
     on conflict do nothing`,
    [runId, round, segments.map(({ hash }) => hash), segments.map(({ bytes }) => bytes)],
  );
}

/** Records the policies of a run after a round, while its attempt goes on. @throws WORLD_ATTEMPT_SUPERSEDED */
export async function commitPolicies(
  database: Database,
  token: AttemptToken,
  { round, artifacts }: { round: number; artifacts: readonly ArtifactRecord[] },
): Promise<void> {
  await commitInAttempt(database, token, null, async (client) => {
    for (const artifact of artifacts) await insertArtifact(client, token.runId, round, artifact);
  });
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
