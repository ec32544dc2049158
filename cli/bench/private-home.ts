import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfiguration, type Configuration } from '../../infra/configuration.ts';
import { createDatabase } from '../../infra/postgres/database.ts';
import { stopServices } from '../../infra/services/supervisor-client.ts';
import { connectOrchestrator } from '../../infra/temporal/client.ts';
import { takeServices, type ServiceSession } from '../service-session.ts';

/** Runs the work on services of its own with nothing in them; nothing is left of them afterwards. */
export async function inPrivateHome<Result>(work: (session: ServiceSession) => Promise<Result>): Promise<Result> {
  const home = await mkdtemp(path.join(tmpdir(), 'thaw-bench-'));
  const configuration = readConfiguration({
    ...process.env,
    THAW_HOME: home,
    THAW_ARTIFACTS: '',
    THAW_DATABASE_URL: '',
    THAW_TEMPORAL_ADDRESS: '',
  });
  try {
    return await withSession(configuration, work);
  } finally {
    await stopServices(configuration);
    await rm(home, { recursive: true, force: true });
  }
}

async function withSession<Result>(
  configuration: Configuration,
  work: (session: ServiceSession) => Promise<Result>,
): Promise<Result> {
  const services = await takeServices(configuration);
  const database = createDatabase(services.databaseUrl);
  const orchestrator = await connectOrchestrator(services.temporalAddress, configuration.temporalNamespace);
  try {
    return await work({ configuration, database, orchestrator });
  } finally {
    services.release();
    await orchestrator.close();
    await database.close();
  }
}
