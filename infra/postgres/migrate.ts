import path from 'node:path';
import { installationRoot } from '../installation.ts';

/**
 * Brings the database to this program's schema: numbered SQL files, forward only. Safe when several processes start at
 * once: the others wait for the first.
 * @param options.count how many of those that are left to run; all of them when left out
 * @returns names of the migrations that were run
 */
export async function migrate(databaseUrl: string, { count }: { count?: number } = {}): Promise<string[]> {
  // It would make a folder for compiled migrations among the temporary files, which every user of the machine could fill. Ours are
  // SQL. It looks at this when it is loaded.
  process.env['JITI_FS_CACHE'] = 'false';
  const { runner } = await import('node-pg-migrate');
  const done = await runner({
    databaseUrl,
    dir: path.join(installationRoot(), 'infra/postgres/migrations'),
    direction: 'up',
    migrationsTable: 'migrations',
    ...(count !== undefined && { count }),
    advisoryLockMode: 'wait',
    log: () => undefined,
  });
  return done.map((migration) => migration.name);
}
