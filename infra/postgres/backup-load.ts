import { createReadStream } from 'node:fs';
import pg from 'pg';
import type { ArtifactStore } from '../artifacts/artifact-store.ts';
import { ThawError } from '../../schemas/errors.ts';
import { copyIn } from './backup-copy.ts';
import { type BackupManifest, type SavedTable, tableFile } from './backup-manifest.ts';
import { advanceCounters, copyTarget, listMigrations, listTables } from './backup-tables.ts';
import { migrate } from './migrate.ts';

interface Loading {
  readonly url: string;
  readonly folder: string;
  readonly manifest: BackupManifest;
  /** Those of the backup. */
  readonly copies: ArtifactStore;
  /** Where they go. */
  readonly artifacts: ArtifactStore;
  readonly onProgress: (text: string) => void;
}

const SHOWN_MAX = 5;

/**
 * Puts a backup that was verified into a database without experiments: first the artifacts, then all rows in one
 * transaction. Rows of an older schema go into its tables, which are then migrated.
 * @throws REQUEST_CONFLICT naming the experiments that are there
 */
export async function loadBackup(loading: Loading): Promise<void> {
  const { url, manifest, copies, artifacts, onProgress } = loading;
  await withClient(url, refuseExperiments);
  for (const [index, { hash }] of manifest.artifacts.entries()) {
    if (index % 100 === 0) onProgress(`artifacts: ${index} of ${manifest.artifacts.length} …`);
    await artifacts.write(await copies.read(hash));
  }
  const isOlder = manifest.schema_level !== listMigrations().at(-1);
  if (isOlder) await goBackTo(url, manifest.schema_level);
  await withClient(url, (client) => loadRows(client, loading));
  if (isOlder) await migrate(url);
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // Without a listener a connection that breaks would end the process instead of failing the statement.
  client.on('error', () => undefined);
  try {
    await client.query('begin');
    await work(client);
    await client.query('commit');
  } finally {
    // What was not committed ends with it.
    await client.end();
  }
}

/** From here to the end of the transaction nobody submits one either. */
async function refuseExperiments(client: pg.Client): Promise<void> {
  await client.query('lock table experiments in exclusive mode');
  const { rows } = await client.query<{ id: string }>('select id from experiments order by created_at, id');
  if (rows.length === 0) return;
  const rest = rows.length > SHOWN_MAX ? ` and ${rows.length - SHOWN_MAX} more` : '';
  const ids = rows.slice(0, SHOWN_MAX).map(({ id }) => id);
  throw new ThawError(
    'REQUEST_CONFLICT',
    `There are experiments already: ${ids.join(', ')}${rest}. Nothing was restored.`,
    {
      remedy: 'Restore into another home, `THAW_HOME=FOLDER thaw restore BACKUP`, or delete them first.',
    },
  );
}

/** Makes the tables anew as they were after a migration. There is nothing in them but what others have deleted. */
async function goBackTo(url: string, level: string): Promise<void> {
  await withClient(url, async (client) => {
    await refuseExperiments(client);
    const tables = [...listTables(listMigrations()), 'migrations'].map((table) => `"${table}"`);
    await client.query(`drop table if exists ${tables.join(', ')} cascade`);
  });
  await migrate(url, { count: listMigrations().indexOf(level) + 1 });
}

async function loadRows(client: pg.Client, { folder, manifest, onProgress }: Loading): Promise<void> {
  await refuseExperiments(client);
  // Simulators and games of chance may be left of experiments that were deleted; those of the backup take their place.
  await client.query(`truncate ${manifest.tables.map(({ table }) => `"${table}"`).join(', ')}`);
  for (const saved of manifest.tables) {
    onProgress(`rows of ${saved.table} …`);
    await loadTable(client, folder, saved);
    await advanceCounters(client, saved);
  }
}

async function loadTable(client: pg.Client, folder: string, saved: SavedTable): Promise<void> {
  const file = createReadStream(tableFile(folder, saved.table)) as AsyncIterable<Buffer>;
  const rows = await copyIn(client, `copy ${copyTarget(saved)} from stdin`, file);
  if (rows !== saved.rows) {
    throw new ThawError(
      'DEFECT_INVARIANT',
      `${saved.table} had ${saved.rows} rows in the backup, and ${rows} came of it`,
    );
  }
}
