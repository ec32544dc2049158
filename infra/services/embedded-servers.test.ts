import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import getPort from 'get-port';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isGroupAlive } from '../process-group.ts';
import { postgresAccount } from './account.ts';
import { cacheFolder } from './cache-folder.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import { SHARED_FOLDER, openPostgresData, sharedDataFolder } from './postgres-data.ts';
import { createPostgresService } from './postgres-server.ts';
import { startService, stopProcess } from './service-process.ts';
import type { ServiceProcess } from './service-process.ts';
import type { Account, Service } from './service.ts';
import { findTemporalBinary } from './temporal-binary.ts';
import { createTemporalService } from './temporal-server.ts';

let home: string;
const running: { process: ServiceProcess; service: Service }[] = [];

beforeAll(() => {
  home = mkdtempSync(path.join(tmpdir(), 'thaw-servers-'));
});
afterAll(async () => {
  for (const { process: started, service } of running) await stopProcess(started, service.stopRule);
  expect(running.filter(({ process: started }) => isGroupAlive(started.pid))).toEqual([]);
  await rm(await sharedDataFolder(home), { recursive: true, force: true });
  await rm(home, { recursive: true });
});

async function start(service: Service): Promise<ServiceProcess> {
  const logFile = path.join(home, 'logs', `${service.name}.log`);
  const { signal } = new AbortController();
  return startService(service, { logFile, signal, onStarted: (process) => running.push({ process, service }) });
}

const copiesFolder = (account: Account | null, folder: string) =>
  account === null ? cacheFolder(process.env, folder) : SHARED_FOLDER;

async function killed(victim: ServiceProcess): Promise<void> {
  process.kill(victim.pid, 'SIGKILL');
  await victim.ended;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('the embedded Postgres', () => {
  let service: ReturnType<typeof createPostgresService>;
  let parts: Omit<Parameters<typeof createPostgresService>[0], 'port'>;
  let server: ServiceProcess;

  beforeAll(async () => {
    const account = postgresAccount();
    const binaries = await findPostgresBinaries({ account, copies: copiesFolder(account, home) });
    expect(binaries.version).toMatch(/^18\./);
    const data = await openPostgresData({ home, binaries: binaries.folder, account, onProgress: () => undefined });
    parts = { data, binaries, account };
    service = createPostgresService({ ...parts, port: await getPort({ host: '127.0.0.1' }) });
    server = await start(service);
  });

  it('speaks UTF8 in the C locale with the settings asked for, and commits durably', async () => {
    const [row] = await query(
      service.url,
      `select current_setting('server_encoding') as encoding, current_setting('max_connections') as connections,
              current_setting('synchronous_commit') as commit, datcollate from pg_database where datname = current_database()`,
    );
    expect(row).toEqual({ encoding: 'UTF8', connections: '100', commit: 'on', datcollate: 'C' });
  });

  it('keeps its password from other users, and refuses any other', async () => {
    expect(statSync(path.join(home, 'postgres.json')).mode & 0o777).toBe(0o600);
    const url = new URL(service.url);
    url.password = 'guess';
    await expect(query(url.href, 'select 1')).rejects.toThrow(/password/);
  });

  it('has every committed row after kill -9, on the same port, and even if its process id is taken by another', async () => {
    await query(service.url, 'create table kept (n int); insert into kept values (7)');
    await killed(server);
    const folder = service.program.args[1]!;
    const stale = readFileSync(path.join(folder, 'postmaster.pid'), 'utf8').replace(/^\d+/, String(process.pid));
    writeFileSync(path.join(folder, 'postmaster.pid'), stale);
    server = await start(service);
    expect(await query(service.url, 'select n from kept')).toEqual([{ n: 7 }]);
  });

  it('stops an orphan of the same data before it starts', async () => {
    const orphan = server;
    server = await start(service);
    expect(isGroupAlive(orphan.pid)).toBe(false);
    expect(await query(service.url, 'select n from kept')).toEqual([{ n: 7 }]);
  });

  it('says why it did not start, with the end of its log', async () => {
    const free = createPostgresService({ ...parts, port: await getPort({ host: '127.0.0.1' }) });
    const crowded = { ...free, prepare: async () => undefined };
    await expect(start(crowded)).rejects.toMatchObject({ code: 'WORLD_POSTGRES_UNAVAILABLE' });
    await expect(start(crowded)).rejects.toThrow(/lock file "postmaster.pid" already exists/);
  });
});

describe('the place of the data', () => {
  it('is the home itself when the account can reach it, and a cluster without a record is set aside', async () => {
    const open = mkdtempSync(path.join(tmpdir(), 'thaw-open-'));
    chmodSync(open, 0o755);
    mkdirSync(path.join(open, 'postgres'));
    writeFileSync(path.join(open, 'postgres', 'from-before'), '');
    const account = postgresAccount();
    const { folder: binaries } = await findPostgresBinaries({ account, copies: copiesFolder(account, open) });
    const options = { home: open, binaries, account, onProgress: () => undefined };
    const data = await openPostgresData(options);
    expect(data.folder).toBe(path.join(open, 'postgres'));
    expect(await openPostgresData(options)).toEqual(data);
    const aside = readdirSync(open).find((name) => name.startsWith('postgres.abandoned-'))!;
    expect(readdirSync(path.join(open, aside))).toEqual(['from-before']);
    await rm(open, { recursive: true });
  });
});

describe('the embedded Temporal server', () => {
  it('answers for its own home and no other, also after kill -9, on the same port', async () => {
    const binary = await findTemporalBinary({
      configured: null,
      searchPath: process.env.PATH ?? '',
      cache: cacheFolder(process.env, home),
      python: 'python3',
      onProgress: () => undefined,
    });
    const port = await getPort({ host: '127.0.0.1' });
    const service = createTemporalService({ home, binary, namespace: 'default', port });
    await killed(await start(service));
    await expect(service.probe()).rejects.toThrow();
    await start(service);
    await service.probe();
    const other = createTemporalService({ home: `${home}-other`, binary, namespace: 'default', port });
    await expect(other.probe()).rejects.toThrow();
  });
});
