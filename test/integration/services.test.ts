import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build as bundle, stop as stopBundler } from 'esbuild';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { environmentFromConfiguration, readConfiguration } from '../../infra/configuration.ts';
import type { Configuration } from '../../infra/configuration.ts';
import { processIdentity } from '../../infra/process-group.ts';
import { installationRoot } from '../../infra/installation.ts';
import { sharedDataFolder } from '../../infra/services/postgres-data.ts';
import {
  ensureServices,
  keepServices,
  stopServices,
  supervisorStatus,
} from '../../infra/services/supervisor-client.ts';
import type { Services } from '../../infra/services/supervisor-client.ts';
import { supervisorSocket } from '../../infra/services/supervisor-protocol.ts';
import { readSupervisorRecord } from '../../infra/services/supervisor-record.ts';
import { describeNamespace } from '../../infra/services/temporal-server.ts';

const BUNDLE = path.join(installationRoot(), 'node_modules/.cache/thaw-services-test', `process-${process.pid}.mjs`);
const homes: string[] = [];

beforeAll(async () => {
  const entryPoints = [fileURLToPath(new URL('./services-process.ts', import.meta.url))];
  await bundle({ entryPoints, outfile: BUNDLE, bundle: true, platform: 'node', format: 'esm', packages: 'external' });
  await stopBundler();
});

afterAll(() => rmSync(BUNDLE));

/** Stops what a test left running, and proves that nothing of its homes is left. */
async function cleanUp(): Promise<void> {
  for (const home of homes) await stopServices(configurationOf(home));
  for (const home of homes.splice(0)) {
    // A supervisor that has told its last word still needs a moment to end, on a busy machine a long one.
    await vi.waitFor(async () => expect(await processesOf(home)).toEqual([]), { timeout: 20_000 });
    await rm(await sharedDataFolder(home), { recursive: true, force: true });
    await rm(home, { recursive: true, force: true });
  }
}

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
  const { build = 'test' } = options;
  return ensureServices(configuration, {
    supervisor: { command: process.execPath, args: [BUNDLE, 'supervisor', build] },
    build,
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

/** IPv4 and IPv6 addresses at which a process, or one that it started, accepts connections. */
function listeningAddresses(pid: number): string[] {
  const sockets = new Set(readdirSync(`/proc/${pid}/fd`).map((name) => linkOf(`/proc/${pid}/fd/${name}`)));
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === '0A' && sockets.has(`socket:[${inode}]`))
      .map(([, local]) => addressOf(local!.split(':')[0]!)),
  );
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}

/** Of hexadecimal digits as the kernel writes them: IPv4 in reverse order, IPv6 as it is. */
function addressOf(hexadecimal: string): string {
  if (hexadecimal.length !== 8) return hexadecimal;
  return [...Buffer.from(hexadecimal, 'hex').reverse()].join('.');
}

/** What the supervisor answers to some bytes, until it closes the connection. */
async function sayTo({ home }: Configuration, bytes: string): Promise<string> {
  const socket = connect(supervisorSocket(home));
  socket.on('error', () => undefined);
  socket.write(bytes);
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  // Not `once`, which fails when the connection is cut while we still send.
  await new Promise((resolve) => socket.on('close', resolve));
  return answer;
}

async function pidsOf(configuration: Configuration): Promise<Record<string, number>> {
  const { services } = (await supervisorStatus(configuration))!;
  return Object.fromEntries(services.flatMap(({ name, pid }) => (pid === null ? [] : [[name, pid]])));
}

async function killSupervisor(configuration: Configuration): Promise<void> {
  process.kill((await supervisorStatus(configuration))!.pid, 'SIGKILL');
  await until(async () => (await supervisorStatus(configuration)) === null);
}

describe('the services of a home', () => {
  let configuration: Configuration;
  let services: Services;
  const messages: string[] = [];
  beforeAll(async () => {
    configuration = configurationOf(makeHome());
    services = await ensure(configuration, { messages });
  });
  afterAll(cleanUp);

  it('are a migrated Postgres, Temporal, and a worker that knows both', async () => {
    expect(await query(services.databaseUrl, 'select * from migrated')).toEqual([]);
    await describeNamespace(services.temporalAddress, 'default');
    const seen = path.join(configuration.home, 'worker');
    await until(() => existsSync(seen));
    expect(readFileSync(seen, 'utf8').trim()).toBe(`${services.databaseUrl} ${services.temporalAddress}`);
    expect(messages).toEqual(expect.arrayContaining(['Starting Postgres', 'Starting Temporal', 'Starting the worker']));
  });

  it('keep their data where the user of Postgres can reach them, though the home is closed to others', async () => {
    const [row] = (await query(services.databaseUrl, 'show data_directory')) as { data_directory: string }[];
    const folder = process.getuid?.() === 0 ? await sharedDataFolder(configuration.home) : configuration.home;
    expect(row!.data_directory).toBe(path.join(folder, 'postgres'));
  });

  it('keep from other users what they write, and listen on the loopback address only', async () => {
    const { home } = configuration;
    const modeOf = (name: string) => statSync(path.join(home, name)).mode & 0o777;
    const open = ['artifacts', 'logs', 'temporal', 'postgres.json', 'supervisor.json'].filter(
      (name) => modeOf(name) & 0o077,
    );
    expect(open).toEqual([]);
    expect(readdirSync(path.join(home, 'logs')).filter((name) => modeOf(path.join('logs', name)) & 0o077)).toEqual([]);
    const addresses = Object.values(await pidsOf(configuration)).flatMap(listeningAddresses);
    expect(addresses.length).toBeGreaterThan(1);
    expect(addresses.filter((address) => !address.startsWith('127.'))).toEqual([]);
  });

  it('tell their password to nobody by their command lines', async () => {
    const { password } = new URL(services.databaseUrl);
    const commands = Object.values(await pidsOf(configuration)).map((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
    );
    expect(commands).toHaveLength(3);
    expect(commands.join(' ')).not.toContain(password);
  });

  it('answer nobody who does not know the secret, who sends too much, or who sends no request', async () => {
    const { secret } = readSupervisorRecord(configuration.home)!;
    const status = (given: string) => `${JSON.stringify({ secret: given, verb: 'status' })}\n`;
    expect(await sayTo(configuration, status(secret))).toContain('"kind":"status"');
    expect(await sayTo(configuration, status(`${secret}x`))).toBe('{"kind":"refused"}\n');
    expect(await sayTo(configuration, 'x'.repeat(1_000_000))).toBe('');
    expect(await sayTo(configuration, '{}\n')).toBe('');
  });

  it('are only the worker where both are external, and are denied to a command that means others', async () => {
    const home = makeHome();
    const { databaseUrl, temporalAddress } = services;
    const external = configurationOf(home, { THAW_DATABASE_URL: databaseUrl, THAW_TEMPORAL_ADDRESS: temporalAddress });
    const outer = await ensure(external);
    expect(outer.databaseUrl).toBe(databaseUrl);
    expect((await supervisorStatus(external))!.services.map(({ name }) => name)).toEqual(['worker']);
    await expect(ensure(configurationOf(home))).rejects.toMatchObject({ code: 'REQUEST_CONFLICT' });
  });

  it('are started again at the same addresses when they are killed', async () => {
    const { databaseUrl, temporalAddress } = services;
    await query(databaseUrl, 'insert into migrated values (7)');
    const victims = await pidsOf(configuration);
    for (const pid of Object.values(victims)) process.kill(pid, 'SIGKILL');
    await until(async () => {
      const pids = Object.entries(await pidsOf(configuration));
      return pids.length === 3 && pids.every(([name, pid]) => pid !== victims[name]);
    });
    expect(await query(databaseUrl, 'select n from migrated')).toEqual([{ n: 7 }]);
    await describeNamespace(temporalAddress, 'default');
    const { services: states } = (await supervisorStatus(configuration))!;
    expect(states.map(({ restarts }) => restarts > 0)).toEqual([true, true, true]);
  });

  it('are stopped by `down`, which those who use them are told, and there is nothing to stop twice', async () => {
    expect(await stopServices(configuration)).toBe(true);
    expect((await services.lost).code).toBe('WORLD_SUPERVISOR_UNAVAILABLE');
    expect(await processesOf(configuration.home)).toEqual([]);
    expect(await stopServices(configuration)).toBe(false);
  });
});

describe('the supervisor', () => {
  afterEach(cleanUp);

  it('is one, also when two commands start it at once, and ends with the last lease, also of a command killed', async () => {
    const home = makeHome();
    const [one, other] = await Promise.all([startCommand(home), startCommand(home)]);
    expect(one.databaseUrl).toBe(other.databaseUrl);
    const leases = async () => (await supervisorStatus(configurationOf(home)))!.leases;
    expect(await leases()).toBe(2);
    one.child.kill('SIGKILL');
    await until(async () => (await leases()) === 1);
    other.child.kill('SIGKILL');
    await until(async () => (await processesOf(home)).length === 0);
  });

  it('killed with -9 is followed by one that adopts the same programs and ends others', async () => {
    const configuration = configurationOf(makeHome());
    const first = await ensure(configuration);
    const before = await pidsOf(configuration);
    await killSupervisor(configuration);
    expect((await first.lost).code).toBe('WORLD_SUPERVISOR_UNAVAILABLE');
    const file = path.join(configuration.home, 'supervisor.json');
    const record = JSON.parse(readFileSync(file, 'utf8'));
    record.processes.worker.fingerprint = 'of an older build';
    writeFileSync(file, JSON.stringify(record));
    const second = await ensure(configuration);
    const { databaseUrl, temporalAddress } = second;
    expect({ databaseUrl, temporalAddress }).toEqual({
      databaseUrl: first.databaseUrl,
      temporalAddress: first.temporalAddress,
    });
    const after = await pidsOf(configuration);
    expect(after).toEqual({ ...before, worker: after.worker });
    expect(processIdentity(before.worker!)).toBeNull();

    process.kill(before.postgres!, 'SIGKILL');
    await until(async () => ![before.postgres, undefined].includes((await pidsOf(configuration)).postgres));
    expect(await query(databaseUrl, 'select * from migrated')).toEqual([]);
  });

  it('killed with -9 leaves nothing that `down` would not end', async () => {
    const configuration = configurationOf(makeHome());
    await ensure(configuration);
    await killSupervisor(configuration);
    expect(await processesOf(configuration.home)).not.toEqual([]);
    expect(await stopServices(configuration)).toBe(true);
    expect(await processesOf(configuration.home)).toEqual([]);
  });

  it('stays for `up` and for active runs, and makes way for a newer build that does the same', async () => {
    const configuration = configurationOf(makeHome());
    const old = await ensure(configuration, { build: 'old' });
    await keepServices(configuration, true);
    old.release();
    await until(async () => (await supervisorStatus(configuration))!.leases === 0);
    const active = path.join(configuration.home, 'active');
    writeFileSync(active, '');

    const { release } = await ensure(configuration, { build: 'new' });
    expect(await supervisorStatus(configuration)).toMatchObject({ build: 'new', isKept: true });
    release();
    await keepServices(configuration, false);
    const asked = path.join(configuration.home, 'asked');
    await until(() => existsSync(asked) && readFileSync(asked, 'utf8').split('\n').length > 3);
    expect(await supervisorStatus(configuration)).toMatchObject({ phase: 'serving', leases: 0, isKept: false });
    rmSync(active);
    await until(async () => (await processesOf(configuration.home)).length === 0);
  });

  it('ends at once for a command that asks for it, unless another lease, `up` or an open run needs the services', async () => {
    const configuration = configurationOf(makeHome());
    const isServing = async () => (await supervisorStatus(configuration))?.phase === 'serving';
    const active = path.join(configuration.home, 'active');
    const [one, other] = [await ensure(configuration), await ensure(configuration)];
    await one.endIfIdle();
    expect(await supervisorStatus(configuration)).toMatchObject({ phase: 'serving', leases: 1 });

    writeFileSync(active, '');
    await other.endIfIdle();
    expect(await isServing()).toBe(true);

    const last = await ensure(configuration);
    await keepServices(configuration, true);
    rmSync(active);
    await last.endIfIdle();
    expect(await isServing()).toBe(true);

    const final = await ensure(configuration);
    await keepServices(configuration, false);
    await final.endIfIdle();
    expect(await processesOf(configuration.home)).toEqual([]);
  });

  it('asked to end what is idle refuses nobody who comes meanwhile', async () => {
    const configuration = configurationOf(makeHome());
    const first = await ensure(configuration);
    const [next] = await Promise.all([ensure(configuration), first.endIfIdle()]);
    expect(await query(next.databaseUrl, 'select * from migrated')).toEqual([]);
    await next.endIfIdle();
    expect(await processesOf(configuration.home)).toEqual([]);
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

  it('ends when its home is deleted', async () => {
    const configuration = configurationOf(makeHome());
    const { release } = await ensure(configuration);
    const { pid } = (await supervisorStatus(configuration))!;
    // It goes at once, as the services still write into their folders while these are being deleted.
    const gone = `${configuration.home}-gone`;
    renameSync(configuration.home, gone);
    await until(() => processIdentity(pid) === null);
    rmSync(gone, { recursive: true });
    release();
  });
});
