import { once } from 'node:events';
import getPort from 'get-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXPORT_TABLES } from '../../infra/postgres/export-tables.ts';
import { listEvents } from '../../infra/postgres/event-rows.ts';
import { listMirrors } from '../../infra/postgres/mirror-rows.ts';
import { listRunTableRows } from '../../infra/postgres/run-table-rows.ts';
import { type RunRows, RUN_TABLES, scalarsOf } from '../../learning/results/run-scalars.ts';
import { MlflowStandIn } from '../support/mlflow-server.ts';
import { OutageScene } from '../support/outage-scene.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { startTestTemporal, type TestTemporal } from '../support/temporal.ts';

// Real servers and real workers as processes of their own, one of which is killed while it tells what it did.

const PATIENCE_MS = 240_000;
const ROUNDS = 6;

let servers: { postgres: TestPostgres; temporal: TestTemporal };
let living: MlflowStandIn;
beforeAll(async () => {
  const [postgres, temporal] = await Promise.all([startTestPostgres(), startTestTemporal()]);
  servers = { postgres, temporal };
  living = new MlflowStandIn();
});
afterAll(async () => {
  await living.close();
  await Promise.all([servers.postgres.stop(), servers.temporal.stop()]);
});

describe('a run whose experiment is mirrored', () => {
  it(
    'succeeds beside a tracker that is not there, and is whole and once in one that is, also when a worker was killed meanwhile',
    async () => {
      const [url, dead] = [await living.listen(), `http://127.0.0.1:${await getPort({ host: '127.0.0.1' })}`];
      const mirrors = [url, dead].map((each) => ({ kind: 'mlflow', url: each }));
      const scene = await OutageScene.open(servers, 'mirror', [
        'variants={"pool":{"strategy":{"kind":"pool","size":2}}}',
        'seeds=[0]',
        `budget={"rounds":${ROUNDS},"env_steps":${ROUNDS * 25_600}}`,
        'evaluation={"every_rounds":2,"episodes":4,"final_episodes":8}',
        `execution.mirrors=${JSON.stringify(mirrors)}`,
      ]);
      const { database } = scene.session;
      try {
        const first = scene.startWorker();
        // The tracker has taken a round, and whoever told it never hears so.
        const taken = new Promise<void>((resolve) => {
          living.disturb = (path) => {
            if (path !== 'runs/log-batch' || living.runs[0]?.metrics.length === 0) return null;
            resolve();
            return 'after';
          };
        });
        await taken;
        first.process.kill('SIGKILL');
        await once(first.process, 'exit');
        living.disturb = () => null;
        scene.startWorker();
        expect((await scene.untilOver()).map(({ state }) => state)).toEqual(['SUCCEEDED']);
        await scene.until(async () => {
          const statuses = await listMirrors(database, scene.experimentId);
          return statuses.find(({ url: place, toldCount }) => place === url && toldCount === 1);
        });
        const [run] = living.runs;
        expect(living.runs).toHaveLength(1);
        expect(living.refusals).toEqual([]);
        expect(run!.status).toBe('FINISHED');
        const rows: Record<string, unknown> = {};
        for (const name of RUN_TABLES) {
          const table = EXPORT_TABLES.find((each) => each.name === name)!;
          const part = { experimentId: scene.experimentId, runId: run!.tags.get('thaw.run')!, afterRound: -1 };
          rows[name] = await listRunTableRows(database, table, { ...part, throughRound: ROUNDS });
        }
        const told = run!.metrics.filter(({ key }) => !key.startsWith('result/'));
        const expected = scalarsOf(rows as RunRows, 0).map(({ tag, step, value }) => `${tag}@${step}=${value}`);
        expect(expected.length).toBeGreaterThan(ROUNDS * 10);
        expect(told.map(({ key, step, value }) => `${key}@${step}=${value}`).sort()).toEqual(expected.sort());
        const log = await listEvents(database, { experimentId: scene.experimentId }, { after: 0, limit: 1000 });
        const about = log
          .filter(({ kind }) => kind.endsWith('mirrored'))
          .map(({ kind, message }) => `${kind} ${message}`);
        expect(about).toContain(`mirrored to mlflow at ${url}: its only run`);
        expect(about.filter((text) => text.includes(dead))).toEqual([
          `not_mirrored to mlflow at ${dead}: could not be reached (ECONNREFUSED); it is tried again, and runs go on`,
        ]);
      } finally {
        await scene.close();
      }
    },
    PATIENCE_MS,
  );
});
