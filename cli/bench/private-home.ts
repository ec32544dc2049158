import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfiguration, type Configuration } from '../../infra/configuration.ts';
import { createDatabase } from '../../infra/postgres/database.ts';
import { sharedDataFolder } from '../../infra/services/postgres-data.ts';
import { stopServices } from '../../infra/services/supervisor-client.ts';
import { connectOrchestrator } from '../../infra/temporal/client.ts';
import { untilWorkflowsEnd } from '../../infra/temporal/open-workflows.ts';
import { ThawError } from '../../schemas/errors.ts';
import { takeServices, type ServiceSession } from '../services/service-session.ts';

/** A workflow closes a moment after the last of its rows. */
const CLOSING_MS = 10_000;

/** Runs the work on services of its own with nothing in them; nothing is left of them afterwards, and no workflow is open. */
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
    await rm(await sharedDataFolder(home), { recursive: true, force: true });
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
    const result = await work({ configuration, database, orchestrator });
    await expectNothingOpen(services.temporalAddress, configuration.temporalNamespace);
    return result;
  } finally {
    services.release();
    await orchestrator.close();
    await database.close();
  }
}

async function expectNothingOpen(address: string, namespace: string): Promise<void> {
  const open = await untilWorkflowsEnd(address, namespace, CLOSING_MS);
  if (open.length > 0)
    throw new ThawError('DEFECT_INVARIANT', `Workflows are open after the work: ${open.join(', ')}.`);
}
