import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import type { ArtifactReference, ArtifactStore, ListedArtifactStore } from '../artifacts/artifact-store.ts';
import { ThawError } from '../../schemas/errors.ts';
import { keepArtifacts } from './artifact-lock.ts';
import { findReferenced } from './artifact-references.ts';
import { CopyOut } from './backup-copy.ts';
import { BACKUP_FORMAT, type BackupManifest, digestFile, type SavedTable, tableFile } from './backup-manifest.ts';
import { copyTarget, findLevel, listColumns, listMigrations, listTables } from './backup-tables.ts';

interface Saving {
  readonly url: string;
  readonly artifacts: ListedArtifactStore;
  /** An empty folder. */
  readonly folder: string;
  /** Where the artifacts of the backup go. */
  readonly copies: ArtifactStore;
  readonly onProgress: (text: string) => void;
}

type Saved = Omit<BackupManifest, 'program_version' | 'created_at'>;

/** How values are written, whatever a server's defaults are. */
const EXACT = `set extra_float_digits = 1; set datestyle = 'ISO, YMD'; set client_encoding = 'UTF8'`;

/**
 * Saves all rows as they are at one moment, and the artifacts that they name. Work goes on beside it; only that artifacts
 * are deleted waits until it is over.
 * @returns what is to be written into the manifest, which makes it a backup
 */
export async function saveBackup(saving: Saving): Promise<Saved> {
  const client = new pg.Client({ connectionString: saving.url });
  await client.connect();
  // Without a listener a connection that breaks would end the process instead of failing the statement.
  client.on('error', () => undefined);
  try {
    await client.query(EXACT);
    // Before the moment, which is that of the first statement of the transaction.
    await keepArtifacts(client);
    await client.query('begin isolation level repeatable read read only');
    const level = await findLevel(client);
    const migrations = listMigrations();
    if (level !== migrations.at(-1)) {
      throw new ThawError(
        'REQUEST_NOT_AVAILABLE',
        `The database is at ${String(level)}, and this version at ${migrations.at(-1)}.`,
        {
          remedy: 'Make the backup with the version of Thaw that the database is of.',
        },
      );
    }
    const tables: SavedTable[] = [];
    for (const table of listTables(migrations)) tables.push(await saveTable(client, saving, table));
    const rowsOf = (name: string): number => tables.find(({ table }) => table === name)!.rows;
    return {
      format: BACKUP_FORMAT,
      schema_level: level,
      experiments: rowsOf('experiments'),
      runs: rowsOf('runs'),
      tables,
      ...(await saveArtifacts(client, saving)),
    };
  } finally {
    // Its transaction and its lock end with it.
    await client.end();
  }
}

async function saveTable(client: pg.Client, { folder, onProgress }: Saving, table: string): Promise<SavedTable> {
  onProgress(`rows of ${table} …`);
  const columns = await listColumns(client, table);
  const file = tableFile(folder, table);
  await mkdir(path.dirname(file), { recursive: true });
  const rows = client.query(new CopyOut(`copy ${copyTarget({ table, columns })} to stdout`));
  await pipeline(rows, createWriteStream(file, { flags: 'wx', flush: true })).catch((error: unknown) => {
    throw diskError(file, error);
  });
  return { table, columns, rows: rows.rowCount, ...(await digestFile(file)) };
}

/** The database tells of itself with codes of five characters. */
function diskError(file: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined || !/^E[A-Z]+$/.test(code)) return error;
  return new ThawError('WORLD_DISK', `${file} could not be written: ${message}`, { cause: error });
}

async function saveArtifacts(
  client: pg.Client,
  { artifacts, copies, onProgress }: Saving,
): Promise<Pick<BackupManifest, 'artifacts' | 'lacking'>> {
  const there: string[] = [];
  for await (const { hash } of artifacts.list()) if (hash !== null) there.push(hash);
  const { rows } = await client.query<{ hash: string }>(
    'select hash from artifacts union select hash from replay_segments',
  );
  const wanted = [...new Set([...rows.map(({ hash }) => hash), ...(await findReferenced(client, there))])].sort();
  const saved: ArtifactReference[] = [];
  const lacking: string[] = [];
  for (const [index, hash] of wanted.entries()) {
    if (index % 100 === 0) onProgress(`artifacts: ${index} of ${wanted.length} …`);
    if ((await artifacts.flawOf(hash)) !== null) lacking.push(hash);
    else saved.push(await copies.write(await artifacts.read(hash)));
  }
  return { artifacts: saved, lacking };
}
