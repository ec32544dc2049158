import type { Queryable } from './database.ts';

/** Remembers of which imports an experiment contains something. @param hashes of the starts and the policies in it */
export async function linkImports(client: Queryable, experimentId: string, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return;
  await client.query(
    `insert into experiment_imports (experiment_id, import)
     select $1::text, import from import_starts where start_hash = any($2::text[])
      union select $1::text, import from import_partners where artifact = any($2::text[])
     on conflict do nothing`,
    [experimentId, hashes],
  );
}

/** Names of the imports that some experiments contain something of. */
export async function listUsedImports(client: Queryable, experimentIds: readonly string[]): Promise<string[]> {
  const { rows } = await client.query(
    'select distinct import from experiment_imports where experiment_id = any($1) order by 1',
    [experimentIds],
  );
  return rows.map((row) => row['import'] as string);
}

/** By hash of a start or a policy: what of which import it is, as specs write it. */
export async function findImported(client: Queryable, hashes: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await client.query(
    `select start_hash as hash, 'import:' || import || '/' || name as reference from import_starts where start_hash = any($1)
      union all select artifact, 'import:' || import || '/' || seat from import_partners where artifact = any($1)
      order by 1, 2 desc`,
    [hashes],
  );
  return new Map(rows.map((row) => [row['hash'] as string, row['reference'] as string]));
}
