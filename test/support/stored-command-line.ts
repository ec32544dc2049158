import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Database } from '../../infra/postgres/database.ts';
import { thaw, type CommandOutcome } from './command-line.ts';
import { startTestPostgres, type TestPostgres } from './postgres.ts';

/** The built program over a database that each test has for itself. */
export interface StoredCommandLine {
  readonly database: Database;
  /** The folder of the program's artifacts. */
  readonly artifacts: string;
  /** What tells a program where these are. */
  readonly env: Record<string, string>;
  thaw(...args: string[]): Promise<CommandOutcome>;
}

/** Starts what the tests of a file share, and ends it after them. Its parts are there once a test runs. */
export function useStoredCommandLine(): StoredCommandLine {
  let postgres: TestPostgres;
  let folder: string;
  let database: Database;
  let url: string;
  beforeAll(async () => {
    postgres = await startTestPostgres();
    folder = mkdtempSync(path.join(tmpdir(), 'thaw-stored-'));
  });
  afterAll(async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => void ({ database, url } = await postgres.createDatabase()));
  const artifacts = () => path.join(folder, 'artifacts');
  const environment = () => ({
    THAW_DATABASE_URL: url,
    THAW_HOME: path.join(folder, 'home'),
    THAW_ARTIFACTS: artifacts(),
  });
  return {
    get database() {
      return database;
    },
    get env() {
      return environment();
    },
    get artifacts() {
      return artifacts();
    },
    thaw: (...args) => thaw(args, environment()),
  };
}
