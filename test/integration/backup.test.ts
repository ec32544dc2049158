import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createWriteStream } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import { CopyOut } from '../../infra/postgres/backup-copy.ts';
import { loadBackup } from '../../infra/postgres/backup-load.ts';
import { digestFile, MANIFEST, readManifest, tableFile, writeManifest } from '../../infra/postgres/backup-manifest.ts';
import { saveBackup } from '../../infra/postgres/backup-save.ts';
import { copyTarget, listColumns, listMigrations, listTables } from '../../infra/postgres/backup-tables.ts';
import { verifyBackup } from '../../infra/postgres/backup-verification.ts';
import { createDatabase, type Database } from '../../infra/postgres/database.ts';
import { insertRunEvent } from '../../infra/postgres/event-rows.ts';
import { runId } from '../../infra/postgres/experiment-rows.ts';
import { migrate } from '../../infra/postgres/migrate.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { finishRun, seedExperiment } from '../support/seeded-experiment.ts';

let postgres: TestPostgres;
let source: { database: Database; url: string };
let home: string;
let backup: string;
const parent = mkdtempSync(path.join(tmpdir(), 'thaw-backup-'));
beforeAll(async () => void (postgres = await startTestPostgres()));
beforeEach(async () => {
  source = await postgres.createDatabase();
  home = mkdtempSync(path.join(parent, 'home-'));
  backup = mkdtempSync(path.join(parent, 'backup-'));
});
afterAll(async () => {
  await postgres.stop();
  rmSync(parent, { recursive: true });
});

const RUN = runId('example-1', 'frozen', 0);
const artifacts = () => createFolderStore(path.join(home, 'artifacts'));
const copies = () => createFolderStore(path.join(backup, 'artifacts'));

async function save(onProgress: (text: string) => void = () => undefined): Promise<void> {
  const options = { url: source.url, artifacts: artifacts(), folder: backup, copies: copies(), onProgress };
  await writeManifest(backup, { ...(await saveBackup(options)), program_version: '0', created_at: 'now' });
}

/** Restores into a new database and a new folder. */
async function restore(target?: { database: Database; url: string }) {
  const { database, url } = target ?? (await postgres.createDatabase());
  const restored = createFolderStore(path.join(mkdtempSync(path.join(parent, 'second-')), 'artifacts'));
  const manifest = await readManifest(backup);
  await verifyBackup(backup, manifest, copies());
  await loadBackup({
    url,
    folder: backup,
    manifest,
    copies: copies(),
    artifacts: restored,
    onProgress: () => undefined,
  });
  return { database, artifacts: restored, manifest };
}

/** The text of every row of every table. */
async function contents(database: Database): Promise<Record<string, { count: number; digest: string }>> {
  const found: Record<string, { count: number; digest: string }> = {};
  for (const table of listTables(listMigrations())) {
    const { rows } = await database.query(
      `select count(*) as count, md5(coalesce(string_agg(t::text, E'\\n' order by t::text), '')) as digest from "${table}" t`,
    );
    found[table] = rows[0] as { count: number; digest: string };
  }
  return found;
}

async function fillSource(): Promise<void> {
  await seedExperiment(source.database);
  await finishRun(source.database, RUN, { lastReturn: NaN, relativeGap: -Infinity });
  // Its files have made-up names.
  await source.database.query('delete from artifacts');
  const { hash, bytes } = await artifacts().write(new Uint8Array([1, 2, 3]));
  await source.database.query(`insert into artifacts values ($1, 1, 'policy:0', $2, $3)`, [RUN, hash, bytes]);
}

describe('a backup', () => {
  it('names every table that the migrations make', async () => {
    const { rows } = await source.database.query(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    const expected = rows.map(({ name }) => name as string).filter((name) => name !== 'migrations');
    expect(listTables(listMigrations()).toSorted()).toEqual(expected.toSorted());
  });

  it('brings every bit of every row back, whatever is in them', async () => {
    await fillSource();
    const { database } = source;
    const strange = 'tab\t newline\n return\r backslash\\ \\N \\. quote" accent é 雪 \u{1f40c} end';
    await insertRunEvent(database, RUN, 'strange', strange);
    await database.query('update runs set reason = $1 where id = $2', ['', RUN]);
    await database.query('update experiments set document = $1', [JSON.stringify({ strange, number: 1e-320 })]);
    await database.query(`insert into metrics values ($1, 1, 'a', 0.1), ($1, 1, 'b', '-0'), ($1, 1, 'c', 5e-324)`, [
      RUN,
    ]);
    // More than what a connection or a file takes at once.
    await database.query(
      `insert into reference_episodes select md5(i::text), i, i, sqrt(i) * (case i % 3 when 0 then 'NaN' when 1 then '-Infinity' else '1' end)::float8
         from generate_series(1, 60000) i`,
    );
    await insertRunEvent(database, RUN, 'long', 'x'.repeat(3_000_000));
    await save();
    const restored = await restore();
    expect(await contents(restored.database)).toEqual(await contents(database));
    expect(restored.manifest.tables.find(({ table }) => table === 'reference_episodes')!.rows).toBe(60_000);
  });

  it('lets ids be counted up where they were', async () => {
    await fillSource();
    await save();
    const { database } = await restore();
    const before = await database.query('select max(id) as id from events');
    await insertRunEvent(database, RUN, 'next', 'after the restore');
    const after = await database.query('select max(id) as id from events');
    expect(after.rows[0]!['id']).toBe((before.rows[0]!['id'] as number) + 1);
  });

  it('is of one moment: what is written meanwhile is not in it', async () => {
    await fillSource();
    const before = await contents(source.database);
    let writing: Promise<unknown> | undefined;
    // Some tables are saved by then, and others are not.
    await save((text) => {
      if (text.startsWith('rows of runs')) {
        writing = seedExperiment(source.database, { id: 'late', overrides: ['name=late', 'budget.rounds=4'] });
      }
    });
    await writing;
    expect((await contents(source.database))['experiments']!.count).toBe(2);
    expect(await contents((await restore()).database)).toEqual(before);
  });

  it('holds the artifacts that rows name, and says which were lacking', async () => {
    await fillSource();
    const text = (content: string) => new TextEncoder().encode(content);
    const [named, damaged, unnamed] = await Promise.all(
      ['named', 'damaged', 'unnamed'].map(async (content) => (await artifacts().write(text(content))).hash),
    );
    await source.database.query(`delete from artifacts`);
    await source.database.query(
      `insert into artifacts values ($1, 1, 'checkpoint', $2, 5), ($1, 2, 'checkpoint', $3, 7)`,
      [RUN, named, damaged],
    );
    await writeFile(path.join(home, 'artifacts', damaged!.slice(0, 2), damaged!), 'DAMAGED');
    await save();
    const restored = await restore();
    expect(restored.manifest.artifacts.map(({ hash }) => hash)).toEqual([named]);
    expect(restored.manifest.lacking).toEqual([damaged]);
    expect(new Uint8Array(await restored.artifacts.read(named!))).toEqual(text('named'));
    expect(await restored.artifacts.flawOf(unnamed!)).toBe('is missing');
  });
});

describe('restoring', () => {
  const DAMAGES: Readonly<Record<string, () => Promise<unknown>>> = {
    'a table cut short': () => truncate(tableFile(backup, 'runs'), 10),
    'a table altered': async () => {
      const file = tableFile(backup, 'runs');
      await writeFile(file, (await readFile(file, 'utf8')).replace('frozen', 'thawed'));
    },
    'a table missing': () => rm(tableFile(backup, 'runs')),
    'an artifact missing': async () => {
      const { hash } = (await readManifest(backup)).artifacts[0]!;
      await rm(path.join(backup, 'artifacts', hash.slice(0, 2), hash));
    },
    'its manifest missing': () => rm(path.join(backup, MANIFEST)),
    'its manifest cut short': () => truncate(path.join(backup, MANIFEST), 100),
    'a table name that is none': async () => {
      const file = path.join(backup, MANIFEST);
      await writeFile(file, (await readFile(file, 'utf8')).replace('"runs"', '"runs\\"; drop table runs; --"'));
    },
    'a table left out': async () => {
      const manifest = await readManifest(backup);
      await writeManifest(backup, { ...manifest, tables: manifest.tables.filter(({ table }) => table !== 'metrics') });
    },
    'another format': async () => writeManifest(backup, { ...(await readManifest(backup)), format: 2 as 1 }),
    'a later schema': async () => writeManifest(backup, { ...(await readManifest(backup)), schema_level: '999_later' }),
  };

  it.each(Object.keys(DAMAGES))('refuses a backup with %s, and has written nothing', async (damage) => {
    await fillSource();
    await save();
    await DAMAGES[damage]!();
    const target = await postgres.createDatabase();
    const before = await contents(target.database);
    await expect(restore(target)).rejects.toMatchObject({
      code: expect.stringMatching(/^(WORLD_DISK|REQUEST_FILE_UNREADABLE|REQUEST_NOT_AVAILABLE)$/),
      message: expect.stringContaining(backup),
    });
    expect(await contents(target.database)).toEqual(before);
  });

  it('refuses where experiments are, and names them', async () => {
    await fillSource();
    await save();
    await expect(restore(source)).rejects.toMatchObject({
      code: 'REQUEST_CONFLICT',
      message: expect.stringContaining('example-1'),
      remedy: expect.stringContaining('THAW_HOME'),
    });
  });

  it('takes the place of what deleted experiments have left', async () => {
    await fillSource();
    await save();
    const target = await postgres.createDatabase();
    await target.database.query(`insert into reference_episodes values ('left', 0, 0, 1)`);
    await target.database.query(`insert into simulators values ('f00d', 'f', '1', '{}', '{}')`);
    await restore(target);
    expect(await contents(target.database)).toEqual(await contents(source.database));
  });

  it('brings a backup of an older schema to this one', async () => {
    const older = listMigrations().slice(0, 3);
    await source.database.query('create database older template template0');
    const url = new URL(source.url);
    url.pathname = '/older';
    await migrate(url.href, { count: older.length });
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    await client.query(
      `insert into experiments values ('old', 'old', 1, 'i', 'r', '{}', '{}', '{}', 'old.json', '0.0.1');
       insert into variants values ('old', 'v', 0, 'h', '{}');
       insert into runs (id, experiment_id, variant, seed, position, variant_hash, state) values ('old/v/0', 'old', 'v', 0, 0, 'h', 'SUCCEEDED');
       insert into rounds values ('old/v/0', 1, 100, 'c', 1, 1), ('old/v/0', 2, 300, 'd', 1, 1)`,
    );
    const tables = [];
    await mkdir(path.join(backup, 'tables'));
    for (const table of listTables(older)) {
      const columns = await listColumns(client, table);
      const rows = client.query(new CopyOut(`copy ${copyTarget({ table, columns })} to stdout`));
      await pipeline(rows, createWriteStream(tableFile(backup, table)));
      tables.push({ table, columns, rows: rows.rowCount, ...(await digestFile(tableFile(backup, table))) });
    }
    await client.end();
    await writeManifest(backup, {
      format: 1,
      program_version: '0.0.1',
      created_at: 'then',
      schema_level: older.at(-1)!,
      ...{ experiments: 1, runs: 1, tables, artifacts: [], lacking: [] },
    });
    const { database } = await restore();
    // Written by the migration after it, out of the rows.
    const { rows } = await database.query('select round, env_steps from costs order by round');
    expect(rows).toEqual([
      { round: 1, env_steps: 100 },
      { round: 2, env_steps: 200 },
    ]);
    expect((await database.query('select shrinks from runs')).rows).toEqual([{ shrinks: 0 }]);
    const { rows: migrations } = await database.query('select name from migrations order by id');
    expect(migrations.map(({ name }) => name as string)).toEqual(listMigrations());
    await dropDatabase(source.url, 'older');
  });
});

async function dropDatabase(url: string, name: string): Promise<void> {
  const database = createDatabase(url);
  await database.query(`drop database ${name} with (force)`);
  await database.close();
}
