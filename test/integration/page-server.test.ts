import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { giveOrder } from '../../cli/ui/page-control.ts';
import { createChangeFeed } from '../../infra/postgres/change-feed.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { runId } from '../../infra/postgres/experiment-rows.ts';
import { setRunState } from '../../infra/postgres/run-rows.ts';
import { openWorld } from '../../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { ROUTES } from '../../web/api/routes.ts';
import { changesSchema, errorSchema } from '../../web/contract/server.ts';
import { API, openapiDocument } from '../../web/openapi.ts';
import { startProgram, thaw } from '../support/command-line.ts';
import { startPage, type Listening, type RunningPage } from '../support/page-server.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { finishRun, seedExperiment } from '../support/seeded-experiment.ts';
import { MINED_ROUND, seedFailures } from '../support/seeded-failures.ts';
import { FIRST_DECISION, SECOND_DECISION, seedLineage } from '../support/seeded-lineage.ts';
import { seedImport } from '../support/seeded-import.ts';
import { storedSession } from '../support/stored-session.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

const ID = 'example-1';
const FINISHED = runId(ID, 'frozen', 0);
const DIVERGED = runId(ID, 'frozen', 1);
const DESCENDED = runId(ID, 'pool', 0);
const MINED = runId(ID, 'pool', 1);
const IMPORT = { name: 'near', source: 'a <i>lab</i>', licence: 'NaN', personalData: 'removed' } as const;
const TOKEN = 'a-token-that-nobody-knows';

let postgres: TestPostgres;
let database: Database;
let url: string;
let proxy: TcpProxy;
let page: RunningPage;
let home: string;
const opened: (RunningPage | Listening)[] = [];

beforeAll(async () => {
  postgres = await startTestPostgres();
  ({ database, url } = await postgres.createDatabase());
  const { variants } = await seedExperiment(database, { id: ID });
  await finishRun(database, FINISHED);
  await finishRun(database, DIVERGED, { relativeGap: NaN, lostAttempts: 1 });
  await seedLineage(database, DESCENDED, variants['pool']!);
  await seedFailures(database, MINED, openWorld(variants['pool']!, DEFAULT_REGISTRIES));
  await seedImport(database, ID, IMPORT);
  await setRunState(database, DESCENDED, 'FAILED', 'a <b>bad</b> end');
  home = mkdtempSync(path.join(tmpdir(), 'thaw-page-'));
  // The page reaches its database over a wire that can be cut.
  const real = new URL(url);
  proxy = await startTcpProxy({ port: Number(real.port) });
  real.port = String(proxy.port);
  page = await startPage(real.href);
});
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});
afterAll(async () => {
  await page?.close();
  await proxy?.close();
  await postgres.stop();
  rmSync(home, { recursive: true });
});

const opening = async <Opened extends RunningPage | Listening>(promise: Promise<Opened>): Promise<Opened> => {
  const each = await promise;
  opened.push(each);
  return each;
};
const pathOf = (route: string, id: string): string => route.replace('{id}', encodeURIComponent(id));
const problemOf = (body: string) => errorSchema.parse(JSON.parse(body)).error;

describe('every resource', () => {
  const idsOf = (route: string): string[] =>
    route.startsWith('/runs')
      ? [FINISHED, DIVERGED, DESCENDED, MINED]
      : route.startsWith('/failures')
        ? [`${MINED}:${MINED_ROUND}.1`]
        : [ID];

  it.each(ROUTES.map((route) => [route.path, route] as const))(
    '%s answers what its schema says',
    async (route, { answer }) => {
      for (const id of idsOf(route)) {
        expect(answer.safeParse(await page.get(pathOf(route, id))).error, id).toBeUndefined();
      }
    },
  );

  it('is described by the document that is served, which is valid', async () => {
    const served = await page.get('/openapi.json');
    expect(served).toEqual(JSON.parse(JSON.stringify(openapiDocument())));
    const validated = await SwaggerParser.validate(
      structuredClone(served) as Parameters<typeof SwaggerParser.validate>[0],
    );
    expect(Object.keys(validated.paths!)).toEqual(expect.arrayContaining(ROUTES.map((route) => route.path)));
  });

  it('tells apart what is not a number and what is not measured', async () => {
    const { cells } = (await page.get(`/experiments/${ID}/results?metric=relative_gap`)) as {
      cells: { run_id: string; value: unknown }[];
    };
    expect(Object.fromEntries(cells.map((cell) => [cell.run_id, cell.value]))).toEqual({
      [FINISHED]: 0.5,
      [DIVERGED]: 'NaN',
      [DESCENDED]: null,
      [MINED]: null,
    });
  });

  it('of a run has the same columns as its row in the table', async () => {
    const { rows } = (await page.get(`/experiments/${ID}/rows`)) as { rows: { variant: string; seed: number }[] };
    for (const row of rows) {
      const run = (await page.get(pathOf('/runs/{id}', runId(ID, row.variant, row.seed)))) as { results: unknown };
      expect(run.results).toEqual(row);
    }
    expect(rows).toHaveLength(4);
  });

  it('of an experiment names its imports, with where they come from', async () => {
    const { personalData, ...rest } = IMPORT;
    expect(await page.get(`/experiments/${ID}`)).toMatchObject({ imports: [{ ...rest, personal_data: personalData }] });
  });

  it('holds what somebody wrote as it was written', async () => {
    const { headers, body } = await page.ask(`${API}${pathOf('/runs/{id}', DESCENDED)}`);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    expect(JSON.parse(body)).toMatchObject({ reason: 'a <b>bad</b> end', strategy: 'pool' });
  });

  it('follows a simulator from its failure into the pool, and keeps what was refused', async () => {
    const pool = (await page.get(pathOf('/runs/{id}/pool', DESCENDED))) as { pools: { round: number }[] };
    expect(pool.pools.map(({ round }) => round)).toEqual([0, FIRST_DECISION, SECOND_DECISION]);
    const lineage = (await page.get(pathOf('/runs/{id}/lineage', DESCENDED))) as { simulators: { name: string }[] };
    expect(lineage.simulators.map(({ name }) => name)).toEqual(['zero', 'left', 'top~1', 'top~2', 'zero~3']);
    const list = (await page.get(`/experiments/${ID}/failures?variant=pool&seed=1&limit=2`)) as {
      total: number;
      failures: { id: string }[];
    };
    expect(list.total).toBe(3);
    expect(list.failures.map(({ id }) => id)).toEqual([`${MINED}:${MINED_ROUND}.1`, `${MINED}:${MINED_ROUND}.2`]);
    expect(await page.get(`/experiments/${ID}/failures?group=9999999999`)).toEqual({ total: 0, failures: [] });
  });
});

describe('the list of runs', () => {
  const list = async (query: string) => {
    const { total, runs } = (await page.get(`/runs?${query}`)) as { total: number; runs: { id: string }[] };
    return { total, ids: runs.map(({ id }) => id) };
  };

  it('is filtered, counted and paged', async () => {
    expect(await list('')).toEqual({ total: 4, ids: [FINISHED, DESCENDED, DIVERGED, MINED] });
    expect(await list(`experiment=${ID}&state=SUCCEEDED,FAILED&limit=2&offset=1`)).toEqual({
      total: 3,
      ids: [DESCENDED, DIVERGED],
    });
    expect(await list('variant=p*l&seed=1')).toEqual({ total: 1, ids: [MINED] });
    expect(await list('variant=p%25')).toEqual({ total: 0, ids: [] });
    expect(await list('text=BAD')).toEqual({ total: 1, ids: [DESCENDED] });
  });

  it('has what is missing or not a number last in either direction', async () => {
    expect((await list('sort=relative_gap')).ids).toEqual([FINISHED, DIVERGED, DESCENDED, MINED]);
    expect((await list('sort=-relative_gap')).ids).toEqual([FINISHED, DIVERGED, DESCENDED, MINED]);
    expect((await list('sort=-env_steps')).ids[0]).toBe(DESCENDED);
  });
});

describe('a request that is wrong', () => {
  it.each([
    ['an experiment that is not there', '/experiments/nobody', 404, 'REQUEST_UNKNOWN_ID', /nobody/],
    ['a run that is not there', '/runs/example-1%2Fpool%2F9', 404, 'REQUEST_UNKNOWN_ID', /pool\/9/],
    ['a resource that is not there', '/nothing', 404, 'REQUEST_NOT_AVAILABLE', /nothing/],
    ['a parameter that is not there', '/runs?limt=1', 400, 'REQUEST_BAD_ARGUMENT', /did you mean limit/],
    ['a value out of range', '/runs?limit=0&seed=x', 400, 'REQUEST_BAD_ARGUMENT', /seed: .*limit: /],
    ['a value given twice', '/runs?seed=1&seed=2', 400, 'REQUEST_BAD_ARGUMENT', /seed/],
    ['a metric that is not there', `/experiments/${ID}/results?metric=joy`, 400, 'REQUEST_BAD_ARGUMENT', /metric/],
  ])('%s', async (_what, asked, status, code, message) => {
    const answer = await page.ask(`${API}${asked}`);
    expect(answer.status).toBe(status);
    expect(problemOf(answer.body)).toMatchObject({ code, message: expect.stringMatching(message) as unknown });
  });

  it('in its method is told which there are', async () => {
    for (const method of ['POST', 'DELETE', 'PUT']) {
      const answer = await page.ask(`${API}/runs`, { method });
      expect([answer.status, answer.headers.allow], method).toEqual([405, 'GET, HEAD']);
    }
    expect((await page.ask('/', { method: 'POST' })).status).toBe(405);
    const head = await page.ask(`${API}/runs`, { method: 'HEAD' });
    expect([head.status, head.body]).toEqual([200, '']);
  });
});

describe('the page', () => {
  it('is what every path leads to that is no file of it and no resource', async () => {
    const document = (await page.ask('/')).body;
    expect(document).toContain('<script type="module" src="/page.js">');
    for (const asked of [
      '/experiments/x',
      '/runs/a%2Fb%2F0',
      '/../../package.json',
      '/..%2f..%2fpackage.json',
      '/page.js/x',
    ]) {
      expect((await page.ask(asked)).body, asked).toBe(document);
    }
    expect((await page.ask('/page.js')).headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect((await page.ask('/page.css')).headers['content-type']).toBe('text/css; charset=utf-8');
  });

  it('may load from its server only, and stands in no frame', async () => {
    const { headers } = await page.ask('/');
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringMatching(/^default-src 'self';.*frame-ancestors 'none'/) as unknown,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers['content-security-policy']).not.toMatch(/unsafe|\*|http/);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it('and its JSON are sent once, and smaller where that pays', async () => {
    for (const asked of ['/page.js', `${API}/runs`]) {
      const first = await page.ask(asked, { headers: { 'Accept-Encoding': 'gzip' } });
      expect([first.status, first.headers['content-encoding']], asked).toEqual([200, 'gzip']);
      const again = await page.ask(asked, { headers: { 'If-None-Match': first.headers.etag! } });
      expect([again.status, again.body], asked).toEqual([304, '']);
    }
    expect(
      (await page.ask(`${API}/server`, { headers: { 'Accept-Encoding': 'gzip' } })).headers['content-encoding'],
    ).toBeUndefined();
  });

  it('and what is made once is made again when something has changed', async () => {
    const asked = `${API}/experiments/${ID}/results`;
    const first = await page.ask(asked);
    const headers = { 'If-None-Match': first.headers.etag! };
    expect((await page.ask(asked, { headers })).status).toBe(304);
    expect((await page.ask(`${asked}?metric=train_return`, { headers })).status).toBe(200);
    await setRunState(database, MINED, 'PAUSED', null);
    const second = await page.ask(asked, { headers });
    const stateIn = (body: string) =>
      (JSON.parse(body) as { cells: { run_id: string; state: string }[] }).cells.find(({ run_id: id }) => id === MINED)!
        .state;
    expect([stateIn(first.body), second.status, stateIn(second.body)]).toEqual(['RUNNING', 200, 'PAUSED']);
    expect((await page.ask(asked)).body).toBe(second.body);
  });
});

describe('who is let in', () => {
  it('asks for this machine, by an address of it or as localhost', async () => {
    for (const host of ['evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'localhost.evil.example']) {
      for (const asked of ['/', `${API}/runs`, `${API}/changes`]) {
        const answer = await page.ask(asked, { headers: { Host: host } });
        expect([answer.status, problemOf(answer.body).code], `${host} ${asked}`).toEqual([403, 'REQUEST_NOT_ALLOWED']);
      }
    }
    expect((await page.ask('/', { headers: { Host: '[' } })).status).toBe(400);
    for (const host of ['localhost', 'LOCALHOST:8429', '127.0.0.1:1', '[::1]:8429', '192.0.2.7']) {
      expect((await page.ask(`${API}/server`, { headers: { Host: host } })).status, host).toBe(200);
    }
  });

  it('has the token, where one is needed', async () => {
    const guarded = await opening(startPage(url, { token: TOKEN }));
    const strangers = [{}, { Cookie: `thaw_token=${TOKEN}x` }, { Authorization: 'Bearer x' }, { Authorization: TOKEN }];
    for (const headers of strangers as Record<string, string>[]) {
      for (const asked of ['/', '/page.js', '/?token=wrong', `${API}/runs`, `${API}/changes`, `${API}/openapi.json`]) {
        const answer = await guarded.ask(asked, { headers });
        expect([answer.status, problemOf(answer.body).code], asked).toEqual([401, 'REQUEST_NOT_ALLOWED']);
      }
    }
    const entered = await guarded.ask(`/runs?state=FAILED&token=${TOKEN}`);
    expect(entered.headers.refresh).toBe('0; url=/runs?state=FAILED');
    expect(entered.headers['set-cookie']).toEqual([expect.stringMatching(/; Path=\/; HttpOnly; SameSite=Strict$/)]);
    const cookie = entered.headers['set-cookie']![0]!.split(';')[0]!;
    expect((await guarded.ask('/', { headers: { Cookie: cookie } })).status).toBe(200);
    expect((await guarded.ask('/', { headers: { Cookie: `${cookie}x` } })).status).toBe(401);
    expect((await guarded.ask(`${API}/runs`, { headers: { Cookie: cookie } })).status).toBe(200);
    expect((await guarded.ask(`${API}/runs`, { headers: { Authorization: `Bearer ${TOKEN}` } })).status).toBe(200);
  });

  it('stays in where another server of the same machine is entered, too: a browser does not tell ports apart', async () => {
    const jar = new Map<string, string>();
    const servers: RunningPage[] = [];
    for (const token of [TOKEN, `${TOKEN}-either`]) {
      const server = await opening(startPage(url, { token }));
      servers.push(server);
      const [cookie] = (await server.ask(`/?token=${token}`)).headers['set-cookie']!;
      const [, name, value] = /^([^=]+)=([^;]+)/.exec(cookie!)!;
      jar.set(name!, value!);
    }
    const headers = { Cookie: [...jar].map((pair) => pair.join('=')).join('; ') };
    for (const server of servers) expect((await server.ask('/', { headers })).status).toBe(200);
  });
});

describe('changes', () => {
  it('arrive as they are committed, the newest of each run, and those of one experiment alone where it is named', async () => {
    await seedExperiment(database, { id: 'other', overrides: ['name=other', 'budget.rounds=4'] });
    const all = await opening(page.listen());
    const one = await opening(page.listen('?experiment=other'));
    await setRunState(database, MINED, 'RETRYING', null);
    await database.transaction(async (client) => {
      await client.query(`update runs set rounds_completed = 1 where id = 'other/pool/1'`);
      await client.query(`update runs set rounds_completed = 2, env_steps = 2000 where id = 'other/pool/1'`);
    });
    const told = await one.next();
    expect(changesSchema.parse(told)).toEqual({
      changes: [
        { experiment_id: 'other', run_id: 'other/pool/1', state: 'QUEUED', rounds_completed: 2, env_steps: 2000 },
      ],
      experiments: [],
      everything: false,
    });
    const first = await all.next(({ changes }) => changes.some(({ run_id }) => run_id === MINED));
    expect(first.changes.find(({ run_id }) => run_id === MINED)).toMatchObject({
      experiment_id: ID,
      state: 'RETRYING',
    });
  });

  it('of more runs than can be told one by one name the experiment', async () => {
    const all = await opening(page.listen());
    await seedExperiment(database, {
      id: 'many',
      overrides: ['name=many', 'seeds={"first":0,"count":150}', 'budget.rounds=3'],
    });
    expect(await all.next()).toEqual({ changes: [], experiments: ['many'], everything: false });
    await database.query(`update runs set state = 'CANCELLED', finished_at = now() where experiment_id = 'many'`);
    const { changes, experiments } = await all.next();
    expect([changes.length, experiments]).toEqual([200, ['many']]);
    await database.query(`delete from experiments where id = 'many'`);
    expect((await all.next()).experiments).toEqual(['many']);
  });

  it('that were missed while the database was away are made up for, as are those of a client that was', async () => {
    const all = await opening(page.listen());
    proxy.refuse();
    expect((await page.ask(`${API}/runs`)).status).toBe(503);
    await setRunState(database, MINED, 'PAUSED', null);
    proxy.restore();
    expect((await all.next()).everything).toBe(true);
    await setRunState(database, MINED, 'RUNNING', null);
    expect((await all.next()).changes).toMatchObject([{ run_id: MINED, state: 'RUNNING' }]);
    expect((await page.ask(`${API}/runs`)).status).toBe(200);
    const back = await opening(page.listen('', { 'Last-Event-ID': '3' }));
    expect((await back.next()).everything).toBe(true);
  });

  it('of the time before the first connection are made up for', async () => {
    const real = new URL(url);
    const late = await startTcpProxy({ port: Number(real.port) });
    late.refuse();
    real.port = String(late.port);
    let tellRefused: () => void = () => undefined;
    const isRefused = new Promise<void>((resolve) => (tellRefused = resolve));
    const feed = createChangeFeed(real.href, { onState: (state) => state === 'away' && tellRefused() });
    const told = new Promise((resolve) => feed.subscribe(resolve));
    await isRefused;
    late.restore();
    expect(await told).toEqual({ kind: 'missed' });
    await feed.close();
    await late.close();
  });

  it('go to whoever is still there, over one connection', async () => {
    const gone = await page.listen();
    const stays = await Promise.all([1, 2, 3].map(() => opening(page.listen())));
    gone.close();
    await setRunState(database, MINED, 'RETRYING', null);
    for (const each of stays) expect((await each.next()).changes).toMatchObject([{ state: 'RETRYING' }]);
    const { rows } = await database.query(
      `select count(*) as count from pg_stat_activity where datname = current_database() and application_name = 'thaw changes'`,
    );
    expect(rows).toEqual([{ count: 1 }]);
  });
});

describe('orders', () => {
  const give = (server: RunningPage, order: string, origin = server.url) =>
    server.ask(`${API}${order}`, { method: 'POST', headers: { Host: new URL(server.url).host, Origin: origin } });

  it('are refused by a server that only shows', async () => {
    const answer = await give(page, `/experiments/${ID}/pause`);
    expect([answer.status, problemOf(answer.body).code]).toEqual([403, 'REQUEST_NOT_ALLOWED']);
    expect(problemOf(answer.body).remedy).toContain('--allow-control');
  });

  it('come from the page itself and from nowhere else, and do what the verbs do', async () => {
    const { session, started } = storedSession(database, { home });
    const server = await opening(startPage(url, { control: { give: (...order) => giveOrder(session, ...order) } }));
    expect(await server.get('/server')).toMatchObject({ allows_control: true });
    for (const origin of ['http://evil.example', 'null', '', `${server.url}.evil.example`, 'http://127.0.0.1:1']) {
      expect((await give(server, `/experiments/other/cancel`, origin)).status, origin).toBe(403);
    }
    const states = async () =>
      (await database.query(`select distinct state from runs where experiment_id = 'other'`)).rows.map(
        ({ state }) => state as string,
      );
    expect(await states()).toEqual(['QUEUED']);
    expect((await give(server, '/experiments/other/pause')).status).toBe(200);
    expect(await states()).toEqual(['PAUSED']);
    expect((await give(server, '/experiments/other/resume')).status).toBe(200);
    expect([await states(), started]).toEqual([['QUEUED'], ['other']]);
    const cancelled = await give(server, pathOf('/runs/{id}/cancel', 'other/pool/0'));
    expect([cancelled.status, await states()]).toEqual([200, expect.arrayContaining(['CANCELLED', 'QUEUED'])]);
    // An order never reaches more than was named.
    expect((await give(server, '/runs/other/kill')).status).toBe(404);
    expect((await give(server, pathOf('/experiments/{id}/kill', 'other/pool/0'))).status).toBe(404);
    expect((await give(server, pathOf('/runs/{id}/pause', 'other/pool/1'))).status).toBe(400);
    expect((await give(server, '/experiments/other/promote')).status).toBe(404);
    expect((await give(server, '/experiments/other/kill')).status).toBe(200);
    expect(await states()).toEqual(['CANCELLED']);
    expect(JSON.parse((await give(server, '/experiments/other/retry')).body)).toMatchObject({
      message: expect.stringContaining('Nothing to retry') as unknown,
    });
  });
});

describe('thaw ui', () => {
  it('prints where the page is, keeps strangers out where others reach it, and ends when it is told to', async () => {
    const env = { THAW_DATABASE_URL: url, THAW_HOME: home };
    const [own, open] = await Promise.all([
      startProgram(['ui', '--port', '0'], env),
      startProgram(['ui', '--port', '0', '--host', '0.0.0.0', '--allow-control'], env),
    ]);
    expect(own.line).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect(await (await fetch(`${own.line}api/v1/server`)).json()).toMatchObject({ allows_control: false });
    const link = new URL(open.line);
    const local = `http://127.0.0.1:${link.port}/api/v1/server`;
    expect((await fetch(local)).status).toBe(401);
    const headers = { Authorization: `Bearer ${link.searchParams.get('token')}` };
    expect(await (await fetch(local, { headers })).json()).toMatchObject({ allows_control: true });
    const taken = await thaw(['ui', '--port', new URL(own.line).port], env);
    expect([taken.exitCode, taken.stderr]).toEqual([2, expect.stringContaining('--port')]);
    expect([await own.end('SIGINT'), await open.end('SIGTERM')]).toEqual([0, 0]);
  });
});
