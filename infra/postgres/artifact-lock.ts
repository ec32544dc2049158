import type { Queryable } from './database.ts';

/** Two numbers that name an advisory lock: whoever deletes artifacts shares it, and a backup has it for itself. */
const ARTIFACT_LOCK = [706, 2];

/**
 * Lets the rest of the transaction delete artifacts.
 * @returns false while a backup is being made, which would miss them: then nothing may be deleted
 */
export async function mayDeleteArtifacts(client: Queryable): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_xact_lock_shared($1, $2) as granted', ARTIFACT_LOCK);
  return rows[0]!['granted'] as boolean;
}

/** From its return to the end of the connection nobody deletes artifacts. */
export async function keepArtifacts(client: Queryable): Promise<void> {
  await client.query('select pg_advisory_lock($1, $2)', ARTIFACT_LOCK);
}
