import { readConfiguration } from '../../infra/configuration.ts';
import { createDatabase } from '../../infra/postgres/database.ts';
import { listExperiments } from '../../infra/postgres/experiment-list.ts';
import { supervisorStatus } from '../../infra/services/supervisor-client.ts';
import { takeServices } from '../services/service-session.ts';
import { print } from '../terminal/terminal.ts';

const IDS_MAX = 50;

/** Prints what stands for an experiment: the newest ids, and `@latest`. Starts nothing; tells nothing where nothing runs. */
export async function printIds(): Promise<void> {
  print('@latest');
  const configuration = readConfiguration(process.env);
  const isRunning = (await supervisorStatus(configuration))?.phase === 'serving';
  if (configuration.databaseUrl === null && !isRunning) return;
  const services = configuration.databaseUrl === null ? await takeServices(configuration) : null;
  const url = services?.databaseUrl ?? configuration.databaseUrl!;
  const database = createDatabase(url, { connectionsMax: 1, patienceMs: 0 });
  try {
    for (const { id } of await listExperiments(database, { limit: IDS_MAX })) print(id);
  } finally {
    await database.close();
    services?.release();
  }
}
