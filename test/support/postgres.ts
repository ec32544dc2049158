import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import getPort from 'get-port';
import { createDatabase, type Database } from '../../infra/postgres/database.ts';
import { migrate } from '../../infra/postgres/migrate.ts';
import { readConfiguration } from '../../infra/configuration.ts';
import { preparePostgres } from '../../infra/services/embedded-services.ts';
import { POSTGRES_DATABASE, sharedDataFolder } from '../../infra/services/postgres-data.ts';
import { startService, stopProcess } from '../../infra/services/service-process.ts';

/** A real Postgres for the tests of one file. */
export interface TestPostgres {
  /** A new database with all tables and no rows: a clone of a migrated template, which costs a few milliseconds. */
  createDatabase(): Promise<{ database: Database; url: string }>;
  /** Closes the databases, ends the server and deletes its data. */
  stop(): Promise<void>;
}

/** Starts the embedded server in a folder of its own, on a free port. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const home = mkdtempSync(path.join(tmpdir(), 'thaw-postgres-'));
  const create = await preparePostgres(readConfiguration({ THAW_HOME: home }), () => undefined);
  const service = create(await getPort({ host: '127.0.0.1' }));
  const running = await startService(service, {
    logFile: path.join(home, 'postgres.log'),
    signal: new AbortController().signal,
    onStarted: () => undefined,
  });
  await migrate(service.url);
  const databases: Database[] = [];
  let count = 0;
  return {
    async createDatabase() {
      count += 1;
      const name = `test_${count}`;
      const admin = createDatabase(urlOf(service.url, 'postgres'));
      await admin.query(`create database ${name} template ${POSTGRES_DATABASE}`);
      await admin.close();
      const url = urlOf(service.url, name);
      const database = createDatabase(url);
      databases.push(database);
      return { database, url };
    },
    async stop() {
      await Promise.all(databases.map((database) => database.close()));
      await stopProcess(running, service.stopRule);
      await rm(await sharedDataFolder(home), { recursive: true, force: true, maxRetries: 5 });
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function urlOf(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}
