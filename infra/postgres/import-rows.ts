import type { CloneReport } from '../../learning/imitation/clone-policy.ts';
import type { RecordedStart } from '../../learning/recordings/recorded-starts.ts';
import { ThawError } from '../../schemas/errors.ts';
import type { Database, Queryable, Row } from './database.ts';

/** Where an import comes from, and what it was made of. */
export interface ImportRecord {
  readonly name: string;
  readonly kind: 'trajectories';
  /** Of all that can change what came of it. */
  readonly contentHash: string;
  readonly family: string;
  readonly familyVersion: string;
  readonly familyOptions: Readonly<Record<string, unknown>>;
  /** In words, or an address. */
  readonly source: string;
  readonly licence: string;
  /** `none` were in it, or they were removed. */
  readonly personalData: 'removed' | 'none';
  readonly importerVersion: number;
  readonly programVersion: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** The artifact with the recording. */
  readonly recordingHash: string;
  readonly recordingBytes: number;
  readonly episodes: number;
  readonly steps: number;
}

export interface ImportedStart extends RecordedStart {
  readonly hash: string;
}

export interface ImportedPartner {
  readonly seat: number;
  readonly role: string;
  /** The artifact with the policy. */
  readonly artifact: string;
  readonly bytes: number;
  readonly report: CloneReport;
}

export interface Import extends ImportRecord {
  readonly starts: readonly ImportedStart[];
  readonly partners: readonly ImportedPartner[];
}

/** An import with the counts of a list. */
export interface ImportSummary extends ImportRecord {
  readonly startCount: number;
  readonly partnerCount: number;
  /** Experiments that contain something of it. */
  readonly experiments: readonly string[];
  readonly createdAt: Date;
}

/**
 * Writes an import in one transaction. The same again is found and not written again.
 * @returns whether it was not there before
 * @throws REQUEST_CONFLICT when its name stands for something else, or it is there under another name
 */
export async function insertImport(database: Database, record: Import): Promise<boolean> {
  return database.transaction(async (client) => {
    const created = await client.query(
      `insert into imports (name, kind, content_hash, family, family_version, family_options, source, licence, personal_data,
         importer_version, program_version, settings, recording_hash, recording_bytes, episodes, steps)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) on conflict do nothing`,
      valuesOf(record),
    );
    if (created.rowCount === 0) {
      await findSameImport(client, record);
      return false;
    }
    await insertParts(client, record);
    return true;
  });
}

const valuesOf = (record: ImportRecord): readonly unknown[] => [
  record.name,
  record.kind,
  record.contentHash,
  record.family,
  record.familyVersion,
  JSON.stringify(record.familyOptions),
  record.source,
  record.licence,
  record.personalData,
  record.importerVersion,
  record.programVersion,
  JSON.stringify(record.settings),
  record.recordingHash,
  record.recordingBytes,
  record.episodes,
  record.steps,
];

async function insertParts(client: Queryable, { name, starts, partners }: Import): Promise<void> {
  await client.query(
    `insert into import_starts (import, position, name, start_hash, start, episode, step, return)
     select $1, (position - 1)::integer, s.name, s.hash, s.start, s.episode, s.step, s.return
       from json_array_elements($2::json) with ordinality as e (item, position),
            json_to_record(e.item) as s (name text, hash text, start json, episode text, step integer, return double precision)`,
    [name, JSON.stringify(starts)],
  );
  await client.query(
    `insert into import_partners (import, seat, role, artifact, bytes, report)
     select $1, p.* from json_to_recordset($2::json) as p (seat integer, role text, artifact text, bytes bigint, report json)`,
    [name, JSON.stringify(partners)],
  );
}

/** What an import is told apart by, beside its content: who says where it comes from has to say the same again. */
type Claimed = Pick<ImportRecord, 'name' | 'contentHash' | 'source' | 'licence' | 'personalData'>;

/**
 * The import that is there already; null where there is none of that name and none of that content.
 * @throws REQUEST_CONFLICT when what is there is not quite the same
 */
export async function findSameImport(client: Queryable, claimed: Claimed): Promise<string | null> {
  const { rows } = await client.query(
    'select name, content_hash, source, licence, personal_data from imports where name = $1 or content_hash = $2',
    [claimed.name, claimed.contentHash],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const name = row['name'] as string;
  if (row['content_hash'] !== claimed.contentHash) throw differs(name, 'other content');
  if (name !== claimed.name) {
    throw new ThawError('REQUEST_CONFLICT', `The same is imported already, as ${name}.`, {
      remedy: `Write import:${name} in specs, or delete it first: \`thaw import delete ${name}\`.`,
    });
  }
  const said: Record<string, readonly [before: unknown, now: string]> = {
    source: [row['source'], claimed.source],
    licence: [row['licence'], claimed.licence],
    'personal data': [row['personal_data'], claimed.personalData],
  };
  for (const [what, [before, now]] of Object.entries(said)) {
    if (before !== now) throw differs(name, `the ${what} "${String(before)}", not "${now}"`);
  }
  return name;
}

function differs(name: string, what: string): ThawError {
  return new ThawError('REQUEST_CONFLICT', `There is an import ${name} already, with ${what}.`, {
    remedy: `Choose another --name, or delete it first: \`thaw import delete ${name}\`.`,
  });
}

/** Newest first. */
export async function listImports(client: Queryable): Promise<ImportSummary[]> {
  const { rows } = await client.query(
    `select i.*, (select count(*) from import_starts s where s.import = i.name) as starts,
            (select count(*) from import_partners p where p.import = i.name) as partners,
            array(select e.experiment_id from experiment_imports e where e.import = i.name order by 1) as experiments
       from imports i order by i.created_at desc, i.name`,
  );
  return rows.map((row) => ({
    ...recordFrom(row),
    startCount: row['starts'] as number,
    partnerCount: row['partners'] as number,
    experiments: row['experiments'] as string[],
    createdAt: row['created_at'] as Date,
  }));
}

/** An import with all that came of it; null when there is none of that name. */
export async function findImport(client: Queryable, name: string): Promise<Import | null> {
  const { rows } = await client.query('select * from imports where name = $1', [name]);
  const [row] = rows;
  if (row === undefined) return null;
  const starts = await client.query(
    'select name, start_hash as hash, start, episode, step, return from import_starts where import = $1 order by position',
    [name],
  );
  const partners = await client.query(
    'select seat, role, artifact, bytes, report from import_partners where import = $1 order by seat',
    [name],
  );
  return {
    ...recordFrom(row),
    starts: starts.rows as unknown as ImportedStart[],
    partners: partners.rows as unknown as ImportedPartner[],
  };
}

function recordFrom(row: Row): ImportRecord {
  return {
    name: row['name'] as string,
    kind: row['kind'] as 'trajectories',
    contentHash: row['content_hash'] as string,
    family: row['family'] as string,
    familyVersion: row['family_version'] as string,
    familyOptions: row['family_options'] as ImportRecord['familyOptions'],
    source: row['source'] as string,
    licence: row['licence'] as string,
    personalData: row['personal_data'] as ImportRecord['personalData'],
    importerVersion: row['importer_version'] as number,
    programVersion: row['program_version'] as string,
    settings: row['settings'] as ImportRecord['settings'],
    recordingHash: row['recording_hash'] as string,
    recordingBytes: row['recording_bytes'] as number,
    episodes: row['episodes'] as number,
    steps: row['steps'] as number,
  };
}

/** Deletes an import with what came of it; its files are garbage then. @throws REQUEST_CONFLICT while experiments contain something of it */
export async function deleteImport(database: Database, name: string): Promise<void> {
  await database.transaction(async (client) => {
    await client.query('select 1 from imports where name = $1 for update', [name]);
    const { rows } = await client.query(
      'select experiment_id as id from experiment_imports where import = $1 order by 1',
      [name],
    );
    if (rows.length > 0) {
      const users = rows.map(({ id }) => id as string).join(', ');
      throw new ThawError('REQUEST_CONFLICT', `Experiments contain something of ${name}: ${users}.`, {
        remedy: 'Where their results come from would be lost. Delete these experiments first: `thaw delete ID`.',
      });
    }
    await client.query('delete from imports where name = $1', [name]);
  });
}
