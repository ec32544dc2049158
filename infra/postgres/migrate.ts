import path from 'node:path';
import { runner } from 'node-pg-migrate';
import { installationRoot } from '../installation.ts';

/**
 * Brings the database to this program's schema: numbered SQL files, forward only. Safe when several processes start at
 * once: the others wait for the first.
 * @returns names of the migrations that were run
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const done = await runner({
    databaseUrl,
    dir: path.join(installationRoot(), 'infra/postgres/migrations'),
    direction: 'up',
    migrationsTable: 'migrations',
    advisoryLockMode: 'wait',
    log: () => undefined,
  });
  return done.map((migration) => migration.name);
}
