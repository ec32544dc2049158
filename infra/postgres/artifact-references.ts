import type { Queryable } from './database.ts';

/** What the name of an artifact looks like, wherever it stands. */
const HASH = '[0-9a-f]{64}';

/**
 * Of `rounds`, rows whose checkpoint their run has given up: it has succeeded, and kept others. Everything else that looks
 * like a reference is one.
 */
const IS_GIVEN_UP = `exists (select from runs r where r.id = run_id and r.state = 'SUCCEEDED')
  and not exists (select from artifacts a where a.run_id = rounds.run_id and a.round = rounds.round and a.kind = 'checkpoint')`;

/**
 * Those of some artifacts that any row of any table names: as a file of a run, as a partner inside a simulator or a spec, in
 * whatever column a later migration adds.
 */
export async function findReferenced(client: Queryable, hashes: readonly string[]): Promise<Set<string>> {
  const referenced = new Set<string>();
  if (hashes.length === 0) return referenced;
  for (const { table, columns } of await listTextColumns(client)) {
    const text = `concat_ws(' ', ${columns.map((column) => `"${column}"::text`).join(', ')})`;
    const { rows } = await client.query(
      `select distinct m.found[1] as hash from "${table}", regexp_matches(${text}, '${HASH}', 'g') as m (found)
        where octet_length(${text}) >= 64 and m.found[1] = any($1) ${table === 'rounds' ? `and not (${IS_GIVEN_UP})` : ''}`,
      [hashes],
    );
    for (const row of rows) referenced.add(row['hash'] as string);
  }
  return referenced;
}

/** Tables with the columns that may hold text, by the catalogue of the database. */
async function listTextColumns(client: Queryable): Promise<{ table: string; columns: string[] }[]> {
  const { rows } = await client.query(
    `select c.table_name as table, array_agg(c.column_name::text order by c.ordinal_position) as columns
       from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = current_schema() and t.table_type = 'BASE TABLE'
        and c.udt_name in ('text', 'varchar', 'bpchar', 'json', 'jsonb', '_text', '_varchar', '_json', '_jsonb')
      group by c.table_name order by c.table_name`,
  );
  return rows as { table: string; columns: string[] }[];
}

/** What is kept of one kind. */
export interface KindOfArtifact {
  readonly kind: string;
  readonly files: number;
  readonly bytes: number;
}

/** Artifacts that runs have, by kind: `checkpoint`, its `replay`, `snapshot` of a partner, `policy`. Equal bytes count once. */
export async function sumArtifacts(client: Queryable): Promise<KindOfArtifact[]> {
  const { rows } = await client.query(
    `select kind, count(*) as files, sum(bytes)::bigint as bytes
       from (select distinct on (hash) split_part(kind, ':', 1) as kind, hash, bytes
               from (select kind, hash, bytes from artifacts union all select 'replay', hash, bytes from replay_segments) b
              order by hash, kind) a
      group by kind order by kind`,
  );
  return rows as unknown as KindOfArtifact[];
}

/** For how long the oldest attempt that has not ended has been at work, in seconds; 0 without one. */
export async function findOldestAttemptS(client: Queryable): Promise<number> {
  const { rows } = await client.query(
    `select coalesce(extract(epoch from clock_timestamp() - min(started_at)), 0)::float8 as age from attempts where ended_at is null`,
  );
  return rows[0]!['age'] as number;
}
