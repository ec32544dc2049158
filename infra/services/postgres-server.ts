import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { terminateGroup } from '../process-group.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { POSTGRES_DATABASE, POSTGRES_USER } from './postgres-data.ts';
import type { PostgresData } from './postgres-data.ts';
import type { Account, Service, StopRule } from './service.ts';

/** As Postgres has by default: whoever counts connections for one that is not ours counts the same. */
export const CONNECTIONS_SERVED = 100;
const PROBE_TIMEOUT_MS = 2_000;
/** Recovery after a kill replays the log, which can take a while on a slow disk. */
const READY_TIMEOUT_MS = 120_000;
/** SIGINT is Postgres' fast shutdown: it ends the sessions and writes a checkpoint. SIGTERM would wait for every client. */
const STOP_RULE: StopRule = { signal: 'SIGINT', graceMs: 15_000 };

/**
 * The embedded Postgres on one TCP port of 127.0.0.1, without Unix socket. Commits are durable (`synchronous_commit` stays on).
 * The probe signs in with the home's own password, which no other server on the port would accept.
 */
export function createPostgresService(options: {
  data: PostgresData;
  binaries: PostgresBinaries;
  account: Account | null;
  port: number;
}): Service & { readonly url: string } {
  const { data, binaries, account, port } = options;
  const url = `postgres://${POSTGRES_USER}:${data.password}@127.0.0.1:${port}/${POSTGRES_DATABASE}`;
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: CONNECTIONS_SERVED,
    shared_buffers: '128MB',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return {
    name: 'postgres',
    description: `Postgres ${binaries.version}${account === null ? '' : ` as user ${account.name}`}, data in ${data.folder}`,
    revision: binaries.version,
    program: {
      command: path.join(binaries.folder, 'bin/postgres'),
      args: ['-D', data.folder, ...flags],
      env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' },
      cwd: '/',
      account,
    },
    port,
    stopRule: STOP_RULE,
    readyTimeoutMs: READY_TIMEOUT_MS,
    errorCode: 'WORLD_POSTGRES_UNAVAILABLE',
    prepare: () => clearPostmasterFile(data.folder),
    probe: () => signIn(url),
    url,
  };
}

/**
 * Connects to a Postgres and leaves again.
 *
 * @throws whatever the driver throws when it cannot
 */
export async function signIn(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: PROBE_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } finally {
    await client.end();
  }
}

/**
 * Makes a start possible after a kill or a reboot. `postmaster.pid` names the last server: if that still runs on this folder it is
 * stopped; if its process id now belongs to another program, Postgres would refuse to start, so the file goes.
 */
async function clearPostmasterFile(folder: string): Promise<void> {
  const file = path.join(folder, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  const isOurs = () => `${commandLine(pid)} `.includes(` -D ${folder} `);
  if (isOurs()) await terminateGroup(pid, STOP_RULE);
  if (!isOurs()) rmSync(file, { force: true });
}

function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux') {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    }
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
