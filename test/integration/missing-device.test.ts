import { afterAll, beforeAll, expect, it } from 'vitest';
import { runAttempt } from '../../activities/attempt.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import { createChildPool } from '../../infra/children/child-pool.ts';
import { listAttempts } from '../../infra/postgres/attempt-rows.ts';
import { listRuns } from '../../infra/postgres/run-rows.ts';
import { ThawError } from '../../schemas/errors.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { seedExperiment } from '../support/seeded-experiment.ts';
import { inActivity } from '../support/take-run.ts';

let postgres: TestPostgres;
beforeAll(async () => void (postgres = await startTestPostgres()));
afterAll(() => postgres.stop());

it('a worker without the device of a run refuses it before anything is started, with a row that says what to do', async () => {
  const { database } = await postgres.createDatabase();
  await seedExperiment(database, { overrides: ['execution.device=cuda'] });
  const [run] = await listRuns(database, 'example-1');
  const children = createChildPool('/nowhere', 60_000);
  const dependencies: ActivityDependencies = {
    ...{ database, children, artifacts: createFolderStore('/nowhere'), registries: DEFAULT_REGISTRIES },
    ...{ worker: 'host:1', programVersion: '0', clock: () => 0 },
    fingerprint: (device) => {
      if (device === 'cuda') throw new ThawError('REQUEST_DEVICE_MISSING', 'There is none. Install it.');
      return { executor: 'of the processor' };
    },
  };
  let isStarted = false;
  const place = { runId: run!.id, kind: 'train_round', round: 0 } as const;
  const attempt = inActivity(() => runAttempt(dependencies, place, async () => void (isStarted = true)));
  await expect(attempt).rejects.toMatchObject({ type: 'request' });
  expect(await listAttempts(database, run!.id)).toMatchObject([
    { outcome: 'request', message: expect.stringContaining('Install it') as string },
  ]);
  expect(isStarted).toBe(false);
  await children.close();
});
