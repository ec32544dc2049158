import type { Database } from './database.ts';

/**
 * Returns of the random policy on a simulator, by episode; null when nobody has played them yet.
 * @param episodes how many there must be
 */
export async function findReference(
  database: Database,
  referenceHash: string,
  { seed, episodes }: { seed: number; episodes: number },
): Promise<number[] | null> {
  const { rows } = await database.query(
    `select return from reference_episodes where reference_hash = $1 and evaluation_seed = $2 and episode < $3 order by episode`,
    [referenceHash, seed, episodes],
  );
  return rows.length === episodes ? rows.map((row) => row['return'] as number) : null;
}

/** Stores them. Whoever plays them gets the same numbers, so it does not matter who is first. */
export async function insertReference(
  database: Database,
  referenceHash: string,
  { seed, returns }: { seed: number; returns: readonly number[] },
): Promise<void> {
  await database.query(
    `insert into reference_episodes (reference_hash, evaluation_seed, episode, return)
     select $1, $2, e.episode - 1, e.return from unnest($3::float8[]) with ordinality as e (return, episode)
     on conflict do nothing`,
    [referenceHash, seed, returns.map(String)],
  );
}
