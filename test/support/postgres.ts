import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import getPort from 'get-port';
import { expect } from 'vitest';
import { createDatabase, type Database } from '../../infra/postgres/database.ts';
import { migrate } from '../../infra/postgres/migrate.ts';
import { readConfiguration } from '../../infra/configuration.ts';
import { preparePostgres } from '../../infra/services/embedded-services.ts';
import { POSTGRES_DATABASE, sharedDataFolder } from '../../infra/services/postgres-data.ts';
import { startService, stopProcess } from '../../infra/services/service-process.ts';

const POLL_MS = 50;
/** A session whose process has been killed ends a moment later. */
const ENDING_MS = 5_000;

/** A real Postgres for the tests of one file. */
export interface TestPostgres {
  /** A new database with all tables and no rows: a clone of a migrated template, which costs a few milliseconds. */
  createDatabase(): Promise<{ database: Database; url: string }>;
  /**
   * Closes the databases, ends the server and deletes its data.
   * @throws when a transaction is open, or an attempt of a run that is over
   */
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
      try {
        expect(await idleTransactions(databases[0]), 'idle transactions').toEqual([]);
        for (const database of databases)
          expect(await heldSlots(database), 'attempts of runs that are over').toEqual([]);
      } finally {
        await Promise.all(databases.map((database) => database.close()));
        await stopProcess(running, service.stopRule);
        await rm(await sharedDataFolder(home), { recursive: true, force: true, maxRetries: 5 });
        await rm(home, { recursive: true, force: true, maxRetries: 5 });
      }
    },
  };
}

/** Transactions on the server in which nothing has happened for a while. */
async function idleTransactions(database: Database | undefined): Promise<string[]> {
  if (database === undefined) return [];
  const query = `select datname || ': ' || query as idle from pg_stat_activity
                 where state like 'idle in transaction%' and state_change < clock_timestamp() - interval '50 milliseconds'`;
  const deadline = performance.now() + ENDING_MS;
  for (;;) {
    const { rows } = await database.query(query);
    if (rows.length === 0 || performance.now() > deadline) return rows.map(({ idle }) => String(idle));
    await delay(POLL_MS);
  }
}

/** Attempts that are open though their run has come to its end. */
async function heldSlots(database: Database): Promise<string[]> {
  const { rows } = await database.query(
    `select a.run_id || ' attempt ' || a.number as slot from attempts a join runs r on r.id = a.run_id
     where a.ended_at is null and r.finished_at is not null`,
  );
  return rows.map(({ slot }) => String(slot));
}

function urlOf(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}
