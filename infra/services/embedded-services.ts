import type { Configuration } from '../configuration.ts';
import { environmentFromConfiguration } from '../configuration.ts';
import { postgresAccount } from './account.ts';
import { cacheFolder } from './cache-folder.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import { SHARED_FOLDER, openPostgresData } from './postgres-data.ts';
import { createPostgresService } from './postgres-server.ts';
import type { Service } from './service.ts';
import type { ServiceAddresses } from './supervisor-protocol.ts';
import { findTemporalBinary } from './temporal-binary.ts';
import { createTemporalService } from './temporal-server.ts';

/** A worker finishes or gives back its activities within this time after SIGTERM. */
const WORKER_GRACE_MS = 15_000;

type Progress = (message: string) => void;

/** Makes all that the embedded Postgres needs, and returns what creates it for a port. */
export async function preparePostgres({ home }: Configuration, onProgress: Progress) {
  const account = postgresAccount();
  const copies = account === null ? cacheFolder(process.env, home) : SHARED_FOLDER;
  const binaries = await findPostgresBinaries({ account, copies });
  const data = await openPostgresData({ home, binaries: binaries.folder, account, onProgress });
  return (port: number) => createPostgresService({ data, binaries, account, port });
}

/** Finds or fetches the Temporal server, and returns what creates it for a port. */
export async function prepareTemporal(configuration: Configuration, onProgress: Progress) {
  const { home, python, temporalBinary, temporalNamespace } = configuration;
  const searchPath = process.env.PATH ?? '';
  const cache = cacheFolder(process.env, home);
  const binary = await findTemporalBinary({ configured: temporalBinary, searchPath, cache, python, onProgress });
  return (port: number) => createTemporalService({ home, binary, namespace: temporalNamespace, port });
}

/** The command line of a worker, and the build it belongs to. */
export interface WorkerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly build: string;
}

/** The worker, told by its environment where the services are. */
export function createWorkerService(
  worker: WorkerCommand,
  configuration: Configuration,
  addresses: ServiceAddresses,
): Service {
  const { command, args, build } = worker;
  const ours = environmentFromConfiguration({ ...configuration, ...addresses });
  return {
    name: 'worker',
    description: `${command} ${args.join(' ')}`,
    program: { command, args, env: { ...inherited(), ...ours }, cwd: configuration.home, account: null },
    revision: build,
    port: null,
    stopRule: { signal: 'SIGTERM', graceMs: WORKER_GRACE_MS },
    readyTimeoutMs: WORKER_GRACE_MS,
    errorCode: 'WORLD_CHILD_DIED',
    prepare: async () => undefined,
    probe: async () => undefined,
  };
}

function inherited(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
