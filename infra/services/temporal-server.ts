import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Connection } from '@temporalio/client';
import type { Service } from './service.ts';
import type { TemporalBinary } from './temporal-binary.ts';

const PROBE_TIMEOUT_MS = 2_000;
const READY_TIMEOUT_MS = 60_000;

/**
 * Experiments of one priority take turns at the workers, whatever the number of their runs. Turns are taken within a
 * partition of a queue, so new tasks go into one; the other partitions are still read, for a server of the time before may
 * have left tasks in them.
 *
 * By itself the server would keep the states of 128 000 workflows for an hour, 33 KiB each as `thaw bench scale` measured:
 * those of workflows that are over are not asked for again, and one that is open and not among the newest is read from its file.
 */
const SETTINGS = {
  'history.hostLevelCacheMaxSize': 1000,
  'matching.useNewMatcher': true,
  'matching.enableFairness': true,
  'matching.numTaskqueueWritePartitions': 1,
};

/**
 * Temporal's development server with its data in one SQLite file of `home`. The write-ahead log makes an activity four times
 * cheaper than the default journal, and keeps every acknowledged event when the server is killed.
 *
 * A namespace named after the home is registered beside the configured one. The probe asks for it: in a race for the port the
 * server of another home might answer.
 *
 * @param options.namespace registered at start when missing
 */
export function createTemporalService(options: {
  home: string;
  binary: TemporalBinary;
  namespace: string;
  port: number;
}): Service {
  const { home, binary, namespace, port } = options;
  const folder = path.join(home, 'temporal');
  const marker = `thaw-${createHash('sha256').update(home).digest('hex').slice(0, 12)}`;
  const pragmas = ['journal_mode=wal', 'synchronous=normal'].flatMap((pragma) => ['--sqlite-pragma', pragma]);
  const namespaces = [namespace, marker].flatMap((name) => ['--namespace', name]);
  const settings = Object.entries(SETTINGS).flatMap(([key, value]) => ['--dynamic-config-value', `${key}=${value}`]);
  const address = ['--ip', '127.0.0.1', '--port', String(port), '--headless'];
  const database = ['--db-filename', path.join(folder, 'temporal.db'), ...pragmas];
  return {
    name: 'temporal',
    description: `Temporal ${binary.version} from ${binary.origin}: ${binary.path}`,
    revision: binary.version,
    program: {
      command: binary.path,
      args: ['server', 'start-dev', ...address, ...database, ...namespaces, ...settings, '--log-level', 'warn'],
      // It would ask its makers for news once a day, and tell them about itself.
      env: { PATH: process.env.PATH ?? '', HOME: folder, TEMPORAL_VERSION_CHECK_DISABLED: '1' },
      cwd: folder,
      account: null,
    },
    port,
    stopRule: { signal: 'SIGTERM', graceMs: 10_000 },
    readyTimeoutMs: READY_TIMEOUT_MS,
    errorCode: 'WORLD_TEMPORAL_UNAVAILABLE',
    prepare: async () => void mkdirSync(folder, { recursive: true }),
    probe: () => describeNamespace(`127.0.0.1:${port}`, marker),
  };
}

/**
 * Asks a Temporal server for a namespace.
 *
 * @throws whatever the client throws when there is no server at the address, or no such namespace on it
 */
export async function describeNamespace(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: PROBE_TIMEOUT_MS });
  try {
    await connection.withDeadline(Date.now() + PROBE_TIMEOUT_MS, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
  } finally {
    await connection.close();
  }
}
