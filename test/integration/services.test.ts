import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { environmentFromConfiguration, readConfiguration } from '../../infra/configuration.ts';
import type { Configuration } from '../../infra/configuration.ts';
import { installationRoot } from '../../infra/installation.ts';
import { sharedDataFolder } from '../../infra/services/postgres-data.ts';
import {
  ensureServices,
  keepServices,
  stopServices,
  supervisorStatus,
} from '../../infra/services/supervisor-client.ts';
import type { Services } from '../../infra/services/supervisor-client.ts';
import { describeNamespace } from '../../infra/services/temporal-server.ts';

const BUNDLE = path.join(installationRoot(), 'node_modules/.cache/thaw-services-test', `process-${process.pid}.mjs`);
const homes: string[] = [];

beforeAll(async () => {
  const entryPoints = [fileURLToPath(new URL('./services-process.ts', import.meta.url))];
  await build({ entryPoints, outfile: BUNDLE, bundle: true, platform: 'node', format: 'esm', packages: 'external' });
});

afterEach(async () => {
  for (const home of homes) await stopServices(configurationOf(home));
  for (const home of homes.splice(0)) {
    expect(await processesOf(home)).toEqual([]);
    await rm(await sharedDataFolder(home), { recursive: true, force: true });
    await rm(home, { recursive: true, force: true });
  }
});
afterAll(() => rmSync(BUNDLE));

function makeHome(): string {
  const home = mkdtempSync(path.join(tmpdir(), 'thaw-services-'));
  homes.push(home);
  return home;
}

function configurationOf(home: string, env: NodeJS.ProcessEnv = {}): Configuration {
  return readConfiguration({ THAW_HOME: home, ...env });
}

function ensure(
  configuration: Configuration,
  options: { build?: string; messages?: string[] } = {},
): Promise<Services> {
  return ensureServices(configuration, {
    supervisor: { command: process.execPath, args: [BUNDLE, 'supervisor'] },
    build: options.build ?? 'test',
    onProgress: (message) => options.messages?.push(message),
  });
}

/** A command as a process of its own, once it has its lease. */
async function startCommand(home: string): Promise<{ child: ChildProcess; databaseUrl: string }> {
  const env = { ...process.env, ...environmentFromConfiguration(configurationOf(home)) };
  const child = spawn(process.execPath, [BUNDLE, 'command'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [data] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, databaseUrl: data.toString().trim() };
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await delay(20);
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const answers = (url: string) => query(url, 'select 1').then(...([() => true, () => false] as const));

/** Every process that belongs to a home, by its command line, environment or folder: parents, children, orphans. */
async function processesOf(home: string): Promise<string[]> {
  const marks = [home, await sharedDataFolder(home)];
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const traces = [command, readFileSync(`/proc/${pid}/environ`, 'utf8'), readlinkSync(`/proc/${pid}/cwd`)];
        return marks.some((mark) => traces.some((trace) => trace.includes(mark))) ? [`${pid} ${command}`] : [];
      } catch {
        return [];
      }
    });
}

async function pidOf(configuration: Configuration, name: string): Promise<number> {
  const status = await supervisorStatus(configuration);
  return status!.services.find((service) => service.name === name)!.pid!;
}

describe('the supervisor', () => {
  it('brings up migrated Postgres, Temporal and a worker that knows both, and ends with the last lease', async () => {
    const configuration = configurationOf(makeHome());
    const messages: string[] = [];
    const services = await ensure(configuration, { messages });
    expect(await query(services.databaseUrl, 'select * from migrated')).toEqual([]);
    await describeNamespace(services.temporalAddress, 'default');
    const seen = path.join(configuration.home, 'worker');
    await until(() => existsSync(seen));
    expect(readFileSync(seen, 'utf8').trim()).toBe(`${services.databaseUrl} ${services.temporalAddress}`);
    expect(messages).toContain('Starting Postgres');
    services.release();
    await until(async () => (await processesOf(configuration.home)).length === 0);
  });

  it('is one, also when two commands start it at once, and a command killed with -9 drops its lease', async () => {
    const home = makeHome();
    const [one, other] = await Promise.all([startCommand(home), startCommand(home)]);
    expect(one.databaseUrl).toBe(other.databaseUrl);
    expect((await supervisorStatus(configurationOf(home)))!.leases).toBe(2);
    one.child.kill('SIGKILL');
    await until(async () => (await supervisorStatus(configurationOf(home)))!.leases === 1);
    other.child.kill('SIGKILL');
    await until(async () => (await processesOf(home)).length === 0);
  });

  it('starts Postgres, Temporal and the worker again at the same addresses when they are killed', async () => {
    const configuration = configurationOf(makeHome());
    const { databaseUrl, temporalAddress, release } = await ensure(configuration);
    await query(databaseUrl, 'insert into migrated values (7)');
    for (const name of ['postgres', 'temporal', 'worker']) {
      const victim = await pidOf(configuration, name);
      process.kill(victim, 'SIGKILL');
      await until(async () => ![victim, null].includes(await pidOf(configuration, name)));
    }
    await until(() => answers(databaseUrl));
    expect(await query(databaseUrl, 'select n from migrated')).toEqual([{ n: 7 }]);
    await describeNamespace(temporalAddress, 'default');
    expect((await supervisorStatus(configuration))!.services.map(({ restarts }) => restarts)).toEqual([1, 1, 1]);
    release();
  });

  it('killed with -9 is followed by one that adopts what serves and ends what does not', async () => {
    const configuration = configurationOf(makeHome());
    const first = await ensure(configuration);
    const before = (await supervisorStatus(configuration))!;
    const pids = Object.fromEntries(before.services.map(({ name, pid }) => [name, pid!]));
    process.kill(before.pid, 'SIGKILL');
    expect((await first.lost).code).toBe('WORLD_SUPERVISOR_UNAVAILABLE');
    process.kill(pids.temporal!, 'SIGSTOP');
    const second = await ensure(configuration);
    expect(second.databaseUrl).toBe(first.databaseUrl);
    expect(await pidOf(configuration, 'postgres')).toBe(pids.postgres);
    expect(await pidOf(configuration, 'temporal')).not.toBe(pids.temporal);
    expect((await processesOf(configuration.home)).some((line) => line.startsWith(`${pids.temporal} `))).toBe(false);
    second.release();
  });

  it('is stopped for good by `down`, which also ends what a killed one left', async () => {
    const configuration = configurationOf(makeHome());
    await ensure(configuration);
    process.kill((await supervisorStatus(configuration))!.pid, 'SIGKILL');
    await until(async () => (await supervisorStatus(configuration)) === null);
    expect(await processesOf(configuration.home)).not.toEqual([]);
    expect(await stopServices(configuration)).toBe(true);
    expect(await processesOf(configuration.home)).toEqual([]);
    expect(await stopServices(configuration)).toBe(false);
  });

  it('stays for `up` and for active runs, and is replaced by a newer build without forgetting either', async () => {
    const configuration = configurationOf(makeHome());
    const services = await ensure(configuration);
    const active = path.join(configuration.home, 'active');
    await keepServices(configuration, true);
    services.release();
    await until(async () => (await supervisorStatus(configuration))!.leases === 0);
    writeFileSync(active, '');
    const old = (await supervisorStatus(configuration))!;
    process.kill(old.pid, 'SIGTERM');
    await until(async () => (await supervisorStatus(configuration)) === null);
    const again = await ensure(configuration);
    expect((await supervisorStatus(configuration))!.isKept).toBe(true);
    await keepServices(configuration, false);
    again.release();
    await delay(1_000);
    expect((await supervisorStatus(configuration))!.phase).toBe('serving');
    rmSync(active);
    await until(async () => (await processesOf(configuration.home)).length === 0);
  });

  it('tells the command its own error when it cannot start, and leaves nothing running', async () => {
    const home = makeHome();
    writeFileSync(path.join(home, 'bad-migration'), '');
    await expect(ensure(configurationOf(home))).rejects.toThrow('the migration is bad');
    await until(async () => (await processesOf(home)).length === 0);
    const missing = configurationOf(home, { THAW_TEMPORAL_BINARY: path.join(home, 'none') });
    await expect(ensure(missing)).rejects.toMatchObject({ code: 'REQUEST_BAD_ARGUMENT' });
  });

  it('that does not start at all is reported with the end of its log', async () => {
    const supervisor = { command: process.execPath, args: ['-e', 'throw new Error("no luck")'] };
    const ensuring = ensureServices(configurationOf(makeHome()), {
      supervisor,
      build: 'test',
      onProgress: () => undefined,
    });
    await expect(ensuring).rejects.toMatchObject({ code: 'WORLD_SUPERVISOR_UNAVAILABLE' });
    await expect(ensuring).rejects.toThrow(/no luck/);
  });

  it('starts only the worker when both services are external, and serves no command that means others', async () => {
    const home = makeHome();
    const embedded = await ensure(configurationOf(home));
    const outer = makeHome();
    const external = configurationOf(outer, {
      THAW_DATABASE_URL: embedded.databaseUrl,
      THAW_TEMPORAL_ADDRESS: embedded.temporalAddress,
    });
    const services = await ensure(external);
    expect(services.databaseUrl).toBe(embedded.databaseUrl);
    expect((await supervisorStatus(external))!.services.map(({ name }) => name)).toEqual(['worker']);
    await expect(ensure(configurationOf(outer))).rejects.toMatchObject({ code: 'REQUEST_CONFLICT' });
    services.release();
    embedded.release();
  });

  it('works from a home that the user of Postgres cannot enter', async () => {
    const home = path.join(makeHome(), 'closed');
    mkdirSync(home, { mode: 0o700 });
    homes.push(home);
    const { databaseUrl, release } = await ensure(configurationOf(home));
    const [row] = (await query(databaseUrl, 'show data_directory')) as { data_directory: string }[];
    const expected = process.getuid?.() === 0 ? await sharedDataFolder(home) : home;
    expect(row!.data_directory).toBe(path.join(expected, 'postgres'));
    release();
  });
});
