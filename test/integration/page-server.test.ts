import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../infra/postgres/database.ts';
import { runId } from '../../infra/postgres/experiment-rows.ts';
import { setRunState } from '../../infra/postgres/run-rows.ts';
import { ROUTES } from '../../web/api/routes.ts';
import { startPage, type RunningPage } from '../support/page-server.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { finishRun, seedExperiment } from '../support/seeded-experiment.ts';

const ID = 'example-1';

let postgres: TestPostgres;
let database: Database;
let page: RunningPage;
beforeAll(async () => {
  postgres = await startTestPostgres();
  const created = await postgres.createDatabase();
  database = created.database;
  await seedExperiment(database, { id: ID });
  await finishRun(database, runId(ID, 'frozen', 0));
  await finishRun(database, runId(ID, 'frozen', 1), { relativeGap: NaN, lostAttempts: 1 });
  await setRunState(database, runId(ID, 'pool', 0), 'FAILED', 'broken');
  page = await startPage(created.url);
});
afterAll(async () => {
  await page?.close();
  await postgres.stop();
});

const pathOf = (path: string): string =>
  path.replace('{id}', encodeURIComponent(path.startsWith('/runs') ? runId(ID, 'frozen', 0) : ID));

describe('every resource', () => {
  it.each(ROUTES.map((route) => [route.path, route] as const))(
    '%s answers what its schema says',
    async (path, route) => {
      expect(route.answer.safeParse(await page.get(pathOf(path))).error).toBeUndefined();
    },
  );
});
