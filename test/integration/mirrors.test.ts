import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import getPort from 'get-port';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mirrorExperiment, type Telling } from '../../activities/mirrors/mirror-experiment.ts';
import { mlflowAuthorization } from '../../infra/trackers/mlflow-credentials.ts';
import { listEvents } from '../../infra/postgres/event-rows.ts';
import { runId } from '../../infra/postgres/experiment-rows.ts';
import { claimMirrors, hasMirrorNews, listMirrors } from '../../infra/postgres/mirror-rows.ts';
import { listRuns, setRunState } from '../../infra/postgres/run-rows.ts';
import { MlflowStandIn } from '../support/mlflow-server.ts';
import { finishRun, seedExperiment } from '../support/seeded-experiment.ts';
import { useStoredCommandLine } from '../support/stored-command-line.ts';

const ID = 'example-1';
const shell = useStoredCommandLine();

let mlflow: MlflowStandIn;
let url: string;
beforeEach(async () => {
  mlflow = new MlflowStandIn();
  url = await mlflow.listen();
});
afterEach(async () => {
  expect(mlflow.refusals).toEqual([]);
  await mlflow.close();
});

const telling = (more: Partial<Telling> = {}): Telling => ({
  database: shell.database,
  worker: 'worker:1',
  leaseS: 20,
  requestTimeoutMs: 2_000,
  authorization: () => null,
  signal: new AbortController().signal,
  ...more,
});

/** Stores the example experiment with mirrors, and ends some of its four runs. */
async function seed(mirrors: readonly object[], finished: 'all' | 'none' = 'all'): Promise<void> {
  await seedExperiment(shell.database, { id: ID, overrides: [`execution.mirrors=${JSON.stringify(mirrors)}`] });
  if (finished === 'none') return;
  for (const run of await listRuns(shell.database, ID)) await finishRun(shell.database, run.id);
}

/** Tells all that is to be told now. @returns how many trackers that were */
async function tell(more: Partial<Telling> = {}): Promise<number> {
  const settings = telling(more);
  const keys = await claimMirrors(shell.database, { ...settings, limit: 10 });
  for (const key of keys) await mirrorExperiment(settings, key);
  return keys.length;
}

/** Trackers that failed are tried now, and not only after their pause. */
const endPauses = () => shell.database.query('update mirrors set due_at = now()');

const events = async () =>
  (await listEvents(shell.database, { experimentId: ID }, { after: 0, limit: 100 })).filter(({ kind }) =>
    kind.endsWith('mirrored'),
  );

/** What a run has been told more than once: nothing may be. */
function repeated(name: string): string[] {
  const seen = mlflow.run(name).metrics.map(({ key, step }) => `${key}@${step}`);
  return seen.filter((each, index) => seen.indexOf(each) !== index);
}

describe('an experiment with a mirror', () => {
  it('is there with its settings, every round, its result and its state, once', async () => {
    await seed([{ kind: 'mlflow', url }]);
    expect(await hasMirrorNews(shell.database)).toBe(true);
    expect(await tell()).toBe(1);
    expect([...mlflow.experiments.keys()]).toEqual(['example']);
    const run = mlflow.run('pool/1');
    expect(Object.fromEntries(run.params)).toMatchObject({
      seed: '1',
      'algorithm.name': 'ippo',
      'algorithm.hidden_sizes': '[32,32]',
      'strategy.kind': 'pool',
      'budget.rounds': '5',
      'panels.train': '["zero","left"]',
    });
    expect(Object.fromEntries(run.tags)).toMatchObject({
      'thaw.run': runId(ID, 'pool', 1),
      'thaw.state': 'SUCCEEDED',
      'thaw.sent_round': '1',
      'thaw.verdict': 'collapsed',
    });
    expect(run.status).toBe('FINISHED');
    expect(run.endedAt).not.toBeNull();
    const valueOf = (key: string) => run.metrics.find((each) => each.key === key);
    expect(valueOf('metrics/entropy')).toMatchObject({ value: 1.25, step: 1000 });
    expect(valueOf('metrics/policy_loss')).toMatchObject({ value: 'NaN' });
    expect(valueOf('memory/peak_rss_mib')).toMatchObject({ value: 100 });
    expect(valueOf('result/auc')).toMatchObject({ value: -12, step: 1000 });
    expect(repeated('pool/1')).toEqual([]);
    expect(await hasMirrorNews(shell.database)).toBe(false);
    expect(await tell()).toBe(0);
    expect(await events()).toMatchObject([{ kind: 'mirrored', message: `to mlflow at ${url}: all 4 runs` }]);
    expect((await shell.thaw('get', ID)).stdout).toContain(`mlflow at ${url}, example: has all 4 runs whole`);
  });

  it('hears of a round when nothing is added to it any more, and of states as they change', async () => {
    await seed([{ kind: 'mlflow', url, experiment: 'a paper' }], 'none');
    expect(await tell()).toBe(0);
    const run = runId(ID, 'frozen', 0);
    await setRunState(shell.database, run, 'RUNNING', null);
    await tell();
    expect(mlflow.run('frozen/0')).toMatchObject({ status: 'RUNNING', metrics: [] });
    expect([...mlflow.experiments.keys()]).toEqual(['a paper']);
    await finishRun(shell.database, run);
    await shell.database.query(`update runs set state = 'RUNNING', finished_at = null where id = $1`, [run]);
    // Its only round may still be evaluated; what it began with is not touched any more.
    await tell();
    expect(mlflow.run('frozen/0').tags.get('thaw.sent_round')).toBe('0');
    expect(mlflow.run('frozen/0').metrics).toEqual([]);
    expect(await tell()).toBe(0);
    await setRunState(shell.database, run, 'FAILED', 'error after 3 attempts');
    await tell();
    expect(mlflow.run('frozen/0')).toMatchObject({ status: 'FAILED' });
    expect(mlflow.run('frozen/0').tags.get('thaw.reason')).toBe('error after 3 attempts');
    expect(mlflow.run('frozen/0').tags.get('thaw.sent_round')).toBe('1');
    // `thaw retry`: the run goes on, and so does what is there of it.
    await shell.database.query(`update runs set state = 'RUNNING', finished_at = null where id = $1`, [run]);
    await tell();
    expect(mlflow.run('frozen/0')).toMatchObject({ status: 'RUNNING', endedAt: null });
    expect(repeated('frozen/0')).toEqual([]);
    expect(await events()).toEqual([]);
  });

  it('has everything once, whatever answer was lost after the tracker had taken what it was told', async () => {
    await seed([{ kind: 'mlflow', url }]);
    let requests = 0;
    // Every third answer is lost.
    mlflow.disturb = (_, response) => {
      requests += 1;
      if (requests % 3 !== 0) return null;
      response.destroy();
      return 'after';
    };
    for (let tries = 0; (await hasUntold()) && tries < 100; tries += 1) {
      await endPauses();
      await tell();
    }
    expect(mlflow.runs.map(({ name, status }) => `${name} ${status}`).sort()).toEqual([
      'frozen/0 FINISHED',
      'frozen/1 FINISHED',
      'pool/0 FINISHED',
      'pool/1 FINISHED',
    ]);
    expect(mlflow.runs.flatMap(({ name }) => repeated(name))).toEqual([]);
    expect((await events()).map(({ kind }) => kind)).toEqual(['not_mirrored', 'mirrored']);
  });

  const hasUntold = async () => {
    const [mirror] = await listMirrors(shell.database, ID);
    return mirror!.toldCount < mirror!.runCount;
  };

  it('is told of by another worker when the one that did died in the middle, and by no two at once', async () => {
    await seed([{ kind: 'mlflow', url }]);
    const death = new AbortController();
    mlflow.disturb = (path) => {
      if (path !== 'runs/log-batch' || mlflow.runs.length < 2) return null;
      death.abort();
      return 'after';
    };
    await expect(tell({ signal: death.signal, leaseS: 1 })).rejects.toThrow();
    mlflow.disturb = () => null;
    expect(await tell({ worker: 'worker:2' })).toBe(0);
    while ((await tell({ worker: 'worker:2' })) === 0) await delay(100);
    expect(mlflow.runs).toHaveLength(4);
    expect(mlflow.runs.flatMap(({ name }) => repeated(name))).toEqual([]);
  });

  it('tells a worker that was taken for dead to stop', async () => {
    await seed([{ kind: 'mlflow', url }]);
    const slow = telling();
    const [key] = await claimMirrors(shell.database, { ...slow, limit: 1 });
    await shell.database.query(`update mirrors set claimed_until = now() - interval '1 s'`);
    await tell({ worker: 'worker:2' });
    const before = mlflow.requests.length;
    await mirrorExperiment(slow, key!);
    expect(mlflow.requests).toHaveLength(before);
  });

  it('shows what a SKIPPED run is equal to', async () => {
    await seed([{ kind: 'mlflow', url }]);
    await seedExperiment(shell.database, {
      id: 'example-2',
      overrides: ['name="other"', `execution.mirrors=${JSON.stringify([{ kind: 'mlflow', url }])}`],
    });
    await tell();
    const ofExperiment = (id: string) => mlflow.runs.find(({ tags }) => tags.get('thaw.run') === runId(id, 'pool', 0));
    const [first, second] = [ofExperiment(ID), ofExperiment('example-2')];
    expect(second!.tags.get('thaw.state')).toBe('SKIPPED');
    expect(second!.status).toBe('FINISHED');
    const roundsOf = ({ metrics }: typeof first & object) => metrics.filter(({ key }) => !key.startsWith('result/'));
    const plain = (run: typeof first) => roundsOf(run!).map(({ key, value, step }) => [key, value, step]);
    expect(plain(second)).toEqual(plain(first));
  });

  it('splits what does not fit into a request', async () => {
    await seed([{ kind: 'mlflow', url }], 'none');
    const run = runId(ID, 'frozen', 0);
    await finishRun(shell.database, run);
    await shell.database.query(
      `insert into metrics (run_id, round, name, value) select $1, 1, 'many_' || n, n from generate_series(1, 2000) n`,
      [run],
    );
    await tell();
    const many = mlflow.run('frozen/0').metrics.filter(({ key }) => key.startsWith('metrics/many_'));
    expect(many.map(({ value }) => Number(value)).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 2000 }, (_, index) => index + 1),
    );
  });
});

describe('a tracker that does not take what it is told', () => {
  let rude: Server | null = null;
  afterEach(async () => {
    rude?.closeAllConnections();
    rude?.close();
    if (rude !== null) await once(rude, 'close');
    rude = null;
  });

  async function serveRudely(listener: RequestListener): Promise<string> {
    rude = createServer(listener).listen(0, '127.0.0.1');
    await once(rude, 'listening');
    return `http://127.0.0.1:${(rude.address() as AddressInfo).port}`;
  }

  const RUDE: Record<string, readonly [RequestListener, string]> = {
    'answers 500': [(_, response) => response.writeHead(500).end(), 'answered 500'],
    'answers garbage': [(_, response) => response.end('<html>'), "answered what is not MLflow's"],
    'answers JSON of another kind': [(_, response) => response.end('[1]'), 'not MLflow'],
    'leads elsewhere': [
      (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      'answered 302',
    ],
    'says no': [
      (_, response) =>
        response.writeHead(403).end('{"error_code": "PERMISSION_DENIED", "message": "\\u001b[2J secret"}'),
      'answered 403 PERMISSION_DENIED to experiments/get-by-name',
    ],
    'never answers': [() => undefined, 'did not answer within 0.3 s'],
    'answers without end': [
      (_, response) => {
        const more = () => response.write('x'.repeat(65_536), (error) => error instanceof Error || setImmediate(more));
        more();
      },
      'not',
    ],
  };

  it.each(Object.entries(RUDE))(
    'because it %s: is named once in the log, and tried again later',
    async (_, rudeness) => {
      const [listener, problem] = rudeness;
      const place = await serveRudely(listener);
      await seed([{ kind: 'mlflow', url: place }]);
      const settings = { requestTimeoutMs: 300 };
      expect(await tell(settings)).toBe(1);
      expect(await tell(settings)).toBe(0);
      await endPauses();
      expect(await tell(settings)).toBe(1);
      const told = await events();
      expect(told).toHaveLength(1);
      expect(told[0]!.kind).toBe('not_mirrored');
      expect(told[0]!.message).toContain(problem);
      expect(told[0]!.message).not.toContain('secret');
      const [mirror] = await listMirrors(shell.database, ID);
      expect(mirror).toMatchObject({ failures: 2, runCount: 4, toldCount: 0 });
      // Services do not stay up for it.
      expect(await hasMirrorNews(shell.database)).toBe(false);
      const { stdout } = await shell.thaw('get', ID);
      expect(stdout).toContain(`mlflow at ${place}, example: has 0 of 4 runs whole; ${mirror!.problem!}`);
      expect(stdout).toContain('next try');
      expect((await shell.thaw('logs', ID)).stdout).toContain('not_mirrored');
    },
  );

  it('because nobody is there, is told everything once it is, and keeps no other waiting', async () => {
    const port = await getPort({ host: '127.0.0.1' });
    await seed([
      { kind: 'mlflow', url: `http://127.0.0.1:${port}/` },
      { kind: 'mlflow', url },
    ]);
    expect(await tell()).toBe(2);
    expect(mlflow.runs).toHaveLength(4);
    expect((await events()).map(({ kind, message }) => `${kind} ${message}`).sort()).toEqual([
      `mirrored to mlflow at ${url}: all 4 runs`,
      `not_mirrored to mlflow at http://127.0.0.1:${port}: could not be reached (ECONNREFUSED); it is tried again, and runs go on`,
    ]);
    const late = new MlflowStandIn();
    await late.listen(port);
    await endPauses();
    await tell();
    expect(late.runs).toHaveLength(4);
    expect(await listMirrors(shell.database, ID)).toMatchObject([{ problem: null }, { problem: null }]);
    await late.close();
  });
});

describe('credentials', () => {
  it('go to the server that the installation names, and to no other', async () => {
    const other = new MlflowStandIn();
    const otherUrl = await other.listen();
    await seed([
      { kind: 'mlflow', url: `${url}/` },
      { kind: 'mlflow', url: otherUrl },
    ]);
    const credentials = { mlflowUrl: url, mlflowToken: null, mlflowUsername: 'me', mlflowPassword: 'hidden' };
    await tell({ authorization: mlflowAuthorization(credentials) });
    expect([...mlflow.authorizations]).toEqual([`Basic ${Buffer.from('me:hidden').toString('base64')}`]);
    expect([...other.authorizations]).toEqual([undefined]);
    await other.close();
    const token = mlflowAuthorization({ ...credentials, mlflowToken: 'a-token' });
    expect(token(url)).toBe('Bearer a-token');
    expect(token(`${url}/elsewhere`)).toBeNull();
  });
});
