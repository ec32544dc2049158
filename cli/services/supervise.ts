import { readConfiguration } from '../../infra/configuration.ts';
import { createLog } from '../../infra/log.ts';
import { createDatabase, type Database } from '../../infra/postgres/database.ts';
import { hasMirrorNews } from '../../infra/postgres/mirror-rows.ts';
import { listOpenExperiments } from '../../infra/postgres/run-rows.ts';
import { runSupervisor } from '../../infra/services/supervisor.ts';
import { prepareDatabase } from './prepare-database.ts';
import { programBuild, programFile } from '../program-version.ts';

/** Commands often come one after the other; the services wait a little for the next one. */
const IDLE = { graceMs: 10_000, pollMs: 500 };
/** The supervisor itself brings Postgres back; waiting for it here would only hold that up. */
const PATIENCE_MS = 0;
/** `thaw down` is waited for; a round that it cuts short is tried again when the services are up. */
const WORKER_GRACE = '2s';

/** Runs the supervisor of this home until nothing needs its services. */
export async function supervise(): Promise<void> {
  const configuration = readConfiguration(process.env);
  let database: Database | null = null;
  try {
    await runSupervisor({
      configuration,
      build: programBuild(),
      log: createLog({ level: configuration.logLevel, name: 'supervisor' }),
      worker: { command: process.execPath, args: [programFile(), 'worker', '--grace', WORKER_GRACE] },
      migrate: prepareDatabase,
      hasActiveRuns: async (databaseUrl) => {
        database ??= createDatabase(databaseUrl, { connectionsMax: 1, patienceMs: PATIENCE_MS });
        return (await listOpenExperiments(database)).length > 0 || hasMirrorNews(database);
      },
      idle: IDLE,
    });
  } finally {
    await (database as Database | null)?.close();
  }
}
