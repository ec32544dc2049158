import { readConfiguration, type Configuration } from '../../infra/configuration.ts';
import { createDatabase, type Database } from '../../infra/postgres/database.ts';
import type { ServiceAddresses } from '../../infra/services/supervisor-protocol.ts';
import type { Services } from '../../infra/services/supervisor-client.ts';
import { ensureServices, supervisorStatus } from '../../infra/services/supervisor-client.ts';
import { readSupervisorRecord } from '../../infra/services/supervisor-record.ts';
import type { Orchestrator } from '../../infra/temporal/client.ts';
import { ThawError } from '../../schemas/errors.ts';
import { programBuild, programFile } from '../program-version.ts';
import { noteOnTerminal } from '../terminal/terminal.ts';

/** What a verb can reach: rows, and the workflows that write them. */
export interface ServiceSession {
  readonly configuration: Configuration;
  readonly database: Database;
  readonly orchestrator: Orchestrator;
}

/**
 * Runs the work with services running; they are kept for as long as it takes.
 * @param options.endsIdle whether they end at once with it, where nothing else needs them; otherwise they wait a little for
 *   the next command
 */
export async function withServices<Result>(
  work: (session: ServiceSession) => Promise<Result>,
  { endsIdle = false }: { endsIdle?: boolean } = {},
): Promise<Result> {
  const configuration = readConfiguration(process.env);
  const lease = await ServiceLease.take(configuration);
  const { connectOrchestrator } = await import('../../infra/temporal/client.ts');
  const database = createDatabase(lease.addresses.databaseUrl);
  try {
    const orchestrator = await connectOrchestrator(lease.addresses.temporalAddress, configuration.temporalNamespace);
    try {
      return await Promise.race([work({ configuration, database, orchestrator }), lease.stopped]);
    } finally {
      await orchestrator.close();
    }
  } finally {
    await database.close();
    await lease.release({ endsIdle });
  }
}

/** Runs the work with a database, which is enough for looking: an external one needs no service of ours. */
export async function withDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  return withDatabaseUrl((url) => closing(createDatabase(url), work));
}

/** What of a database's errors says that it is not there, or not one of ours yet. */
const UNDEFINED_TABLE = '42P01';

/** The same if a database is there: nothing is started, and nothing waited for. @returns null where there is none */
export async function withRunningDatabase<Result>(
  work: (database: Database) => Promise<Result>,
): Promise<Result | null> {
  const configuration = readConfiguration(process.env);
  const { databaseUrl } = configuration;
  if (databaseUrl === null) return (await supervisorStatus(configuration)) === null ? null : withDatabase(work);
  try {
    return await closing(createDatabase(databaseUrl, { patienceMs: 0 }), work);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === UNDEFINED_TABLE || code === 'WORLD_POSTGRES_UNAVAILABLE') return null;
    throw error;
  }
}

/**
 * The same for work that makes its connections itself, and ends by itself when `stopped` rejects: when somebody stopped the
 * services on purpose, or they cannot be brought back.
 */
export async function withDatabaseUrl<Result>(
  work: (url: string, stopped: Promise<never>) => Promise<Result>,
): Promise<Result> {
  const configuration = readConfiguration(process.env);
  const { databaseUrl } = configuration;
  if (databaseUrl !== null) {
    const { prepareDatabase } = await import('./prepare-database.ts');
    await prepareDatabase(databaseUrl);
    return work(databaseUrl, new Promise<never>(() => undefined));
  }
  const lease = await ServiceLease.take(configuration);
  try {
    return await Promise.race([work(lease.addresses.databaseUrl, lease.stopped), lease.stopped]);
  } finally {
    await lease.release({ endsIdle: false });
  }
}

async function closing<Result>(database: Database, work: (database: Database) => Promise<Result>): Promise<Result> {
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Takes the services, and starts them when nothing of this home runs. */
export function takeServices(configuration: Configuration): Promise<Services> {
  return ensureServices(configuration, {
    supervisor: { command: process.execPath, args: [programFile(), 'supervisor'] },
    build: programBuild(),
    onProgress: noteOnTerminal,
  });
}

/** A lease that is taken again when the supervisor was killed: the next one brings the services back where they were. */
class ServiceLease {
  readonly addresses: ServiceAddresses;
  /** Rejects when somebody stopped the services on purpose, or they cannot be brought back. */
  readonly stopped: Promise<never>;
  #services: Services;
  #isReleased = false;

  private constructor(configuration: Configuration, services: Services) {
    this.addresses = services;
    this.#services = services;
    this.stopped = this.#watch(configuration);
    // The work may be done before anybody looks at it.
    this.stopped.catch(() => undefined);
  }

  static async take(configuration: Configuration): Promise<ServiceLease> {
    return new ServiceLease(configuration, await takeServices(configuration));
  }

  async release({ endsIdle }: { endsIdle: boolean }): Promise<void> {
    this.#isReleased = true;
    if (endsIdle) await this.#services.endIfIdle();
    else this.#services.release();
  }

  async #watch(configuration: Configuration): Promise<never> {
    for (;;) {
      const error = await this.#services.lost;
      if (this.#isReleased) return new Promise<never>(() => undefined);
      if (wasStopped(configuration)) throw error;
      this.#services = await takeServices(configuration);
      if (this.#services.databaseUrl !== this.addresses.databaseUrl) throw moved();
    }
  }
}

/** A supervisor that ends in order leaves no process in its record; one that was killed leaves all of them. */
function wasStopped({ home }: Configuration): boolean {
  return Object.keys(readSupervisorRecord(home)?.processes ?? {}).length === 0;
}

function moved(): ThawError {
  return new ThawError('WORLD_SUPERVISOR_UNAVAILABLE', 'The services came back at another address.', {
    remedy: 'Call the command again; what was started goes on.',
  });
}
