import type { Queryable } from './database.ts';
import type { ImportRecord } from './import-rows.ts';

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

/** Where an import of an experiment comes from. */
export type UsedImport = Pick<ImportRecord, 'name' | 'source' | 'licence' | 'personalData'>;

/** The imports that an experiment contains something of, by name. */
export async function findUsedImports(client: Queryable, experimentId: string): Promise<UsedImport[]> {
  const { rows } = await client.query(
    `select i.name, i.source, i.licence, i.personal_data as "personalData"
       from experiment_imports e join imports i on i.name = e.import where e.experiment_id = $1 order by i.name`,
    [experimentId],
  );
  return rows as unknown as UsedImport[];
}

/** Something of an import, as specs write it, and where it comes from. */
export interface ImportedPart {
  readonly reference: string;
  readonly source: string;
  readonly licence: string;
}

/** By hash of a start or a policy: what of an import it is. */
export async function findImported(client: Queryable, hashes: readonly string[]): Promise<Map<string, ImportedPart>> {
  const { rows } = await client.query(
    `select p.hash, 'import:' || p.import || '/' || p.part as reference, i.source, i.licence
       from (select start_hash as hash, import, name as part from import_starts where start_hash = any($1::text[])
              union all select artifact, import, seat::text from import_partners where artifact = any($1::text[])) p
       join imports i on i.name = p.import order by p.hash, reference desc`,
    [hashes],
  );
  return new Map(rows.map(({ hash, ...part }) => [hash as string, part as unknown as ImportedPart]));
}
