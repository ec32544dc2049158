import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/activity';
import getPort from 'get-port';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { planNotices, recordUntold, tellEnd } from '../../activities/notices.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { listEvents } from '../../infra/postgres/event-rows.ts';
import { listRuns, setRunState } from '../../infra/postgres/run-rows.ts';
import { untilWorkflowsEnd } from '../../infra/temporal/open-workflows.ts';
import { signatureOf } from '../../infra/webhook.ts';
import { finishRun, seedExperiment } from '../support/seeded-experiment.ts';
import { scripted } from '../support/scripted-activities.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { startTestTemporal, type TestTemporal } from '../support/temporal.ts';

const SECRET = 'a secret that both know';
const POLL_MS = 50;
const CLOSING_MS = 10_000;

let postgres: TestPostgres;
let temporal: TestTemporal;
beforeAll(async () => {
  [postgres, temporal] = await Promise.all([startTestPostgres(), startTestTemporal()]);
});
afterAll(async () => {
  await Promise.all([postgres.stop(), temporal.stop()]);
});

let database: Database;
let id: string;
beforeEach(async () => {
  ({ database } = await postgres.createDatabase());
  id = `e${randomUUID().slice(0, 8)}`;
});

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let server: Server | null = null;
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  if (server !== null) await once(server, 'close');
  server = null;
});

/** Receives notices and answers as told, the last answer for all that follow. */
async function receive(port: number, answers: readonly number[]): Promise<{ port: number; received: Received[] }> {
  const received: Received[] = [];
  server = createServer((request, response) => {
    void text(request).then((body) => {
      const status = answers[Math.min(received.length, answers.length - 1)]!;
      received.push({ headers: request.headers, body });
      response.writeHead(status, { location: '/elsewhere' }).end();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, received };
}

/** Activities that tell over the real database, and whose runs are over at once. */
function activitiesOf(webhookUrl: string | null, onStep: () => void = () => undefined) {
  const dependencies = { database, webhook: { url: webhookUrl, secret: SECRET } } as Partial<ActivityDependencies>;
  const bound = dependencies as ActivityDependencies;
  return {
    ...scripted({ experimentId: id, onStep }).activities,
    planNotices: (input: Parameters<typeof planNotices>[1]) => planNotices(bound, input),
    tellEnd: (input: Parameters<typeof tellEnd>[1]) => tellEnd(bound, input),
    recordUntold: (input: Parameters<typeof recordUntold>[1]) => recordUntold(bound, input),
  };
}

const begin = () =>
  temporal.client.workflow.signalWithStart('runExperiment', {
    workflowId: `experiment/${id}`,
    taskQueue: 'orchestrate',
    args: [{ experimentId: id, afterPosition: -1 }],
    signal: 'lookAgain',
  });

async function untilTold(): Promise<{ kind: string; message: string }[]> {
  for (;;) {
    const events = await listEvents(database, { experimentId: id }, { after: 0, limit: 100 });
    const told = events.filter(({ kind }) => kind.endsWith('notified'));
    if (told.length > 0) {
      // The event is written by a step of the notice's workflow, which ends a little later.
      expect(await untilWorkflowsEnd(temporal.address, 'default', CLOSING_MS)).toEqual([]);
      return told;
    }
    await delay(POLL_MS);
  }
}

async function seed(notify: object | null, endsWell = true): Promise<void> {
  const overrides = notify === null ? [] : [`execution.notify=${JSON.stringify(notify)}`];
  await seedExperiment(database, { id, overrides });
  for (const run of await listRuns(database, id)) {
    if (endsWell) await finishRun(database, run.id);
    else await setRunState(database, run.id, 'FAILED', 'error after 3 attempts');
  }
}

describe('a notice of the end of an experiment', () => {
  it('reaches a receiver that was down at the end, which has kept nobody, and then was busy: once, and signed', async () => {
    const port = await getPort({ host: '127.0.0.1' });
    await seed({ url: `http://127.0.0.1:${port}/hook?token=hidden` });
    const events = await temporal.withActivities(activitiesOf(null), async () => {
      const experiment = await begin();
      // The experiment is over although nobody listens.
      await experiment.result();
      const { received } = await receive(port, [503, 204]);
      const told = await untilTold();
      expect(received).toHaveLength(2);
      const [first, second] = received as [Received, Received];
      expect(second.headers['idempotency-key']).toBe(first.headers['idempotency-key']);
      expect(second.headers['x-thaw-signature']).toBe(signatureOf(second.body, SECRET));
      const body = JSON.parse(second.body) as Record<string, unknown>;
      expect(body).toMatchObject({
        event: 'experiment.ended',
        key: second.headers['idempotency-key'],
        experiment: { id },
        succeeded: true,
        states: { SUCCEEDED: 4 },
        command: `thaw results ${id}`,
      });
      expect(body['variants']).toMatchObject([
        { variant: 'frozen', heldout_return: { n: 2, n_expected: 2 } },
        { variant: 'pool', heldout_return: { n: 2, n_expected: 2 } },
      ]);
      return told;
    });
    expect(events).toMatchObject([
      { kind: 'notified', message: `that the experiment is over: http://127.0.0.1:${port} answered 204` },
    ]);
  });

  it('is not tried again where the receiver refuses it or leads elsewhere, and the log says so', async () => {
    const { port, received } = await receive(0, [302]);
    await seed({ url: `http://127.0.0.1:${port}/hook`, on: 'failure' }, false);
    const told = await temporal.withActivities(activitiesOf(null), async () => {
      await (await begin()).result();
      return untilTold();
    });
    expect(told).toMatchObject([{ kind: 'not_notified' }]);
    expect(told[0]!.message).toContain('answered 302');
    expect(received).toHaveLength(1);
  });

  it('goes to the installation too; those that asked for failures alone hear of no success', async () => {
    const { port, received } = await receive(0, [200]);
    await seed({ url: `http://127.0.0.1:${port}/mine`, on: 'failure' });
    await temporal.withActivities(activitiesOf(`http://127.0.0.1:${port}/all`), async () => {
      await (await begin()).result();
      await untilTold();
    });
    expect(received.map(({ body }) => (JSON.parse(body) as { key: string }).key)).toHaveLength(1);
  });

  it('that could not be brought for as long as it is tried is written down', async () => {
    await seed({ url: 'http://127.0.0.1:1/nobody' });
    const unreachable = () => {
      throw ApplicationFailure.nonRetryable('http://127.0.0.1:1 could not be reached');
    };
    const told = await temporal.withActivities({ ...activitiesOf(null), tellEnd: unreachable }, async () => {
      await (await begin()).result();
      return untilTold();
    });
    expect(told).toMatchObject([{ kind: 'not_notified' }]);
    expect(told[0]!.message).toContain('could not be reached');
  });

  it.each([true, false])(
    'goes once to an address that both name, whatever the experiment asks for',
    async (endsWell) => {
      const url = 'http://127.0.0.1:1/';
      await seed({ url, on: 'failure' }, endsWell);
      expect((await activitiesOf(url).planNotices({ experimentId: id })).sources).toHaveLength(1);
    },
  );

  it('is not planned while a run is not over', async () => {
    await seedExperiment(database, { id, overrides: ['execution.notify={"url":"http://127.0.0.1:1/"}'] });
    const { planNotices: plan } = activitiesOf(null);
    expect(await plan({ experimentId: id })).toEqual({ sources: [] });
  });
});
