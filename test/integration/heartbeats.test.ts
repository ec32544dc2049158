import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runAttempt } from '../../activities/attempt.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import type { SessionState } from '../../activities/session-messages.ts';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import { createChildPool, type ChildPool } from '../../infra/children/child-pool.ts';
import { listAttempts } from '../../infra/postgres/attempt-rows.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { listRuns } from '../../infra/postgres/run-rows.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { useBuiltPrograms } from '../support/built-programs.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { seedExperiment } from '../support/seeded-experiment.ts';
import { startTestTemporal, type TestTemporal } from '../support/temporal.ts';

// A real attempt in a real activity, with a child that hears nothing for twice the heartbeat timeout.

const HEARTBEAT_TIMEOUT_MS = 3_000;
const BLOCKED_MS = 2 * HEARTBEAT_TIMEOUT_MS;
const [PROGRAM] = useBuiltPrograms([new URL('../support/child-program.ts', import.meta.url)]) as [string];

let postgres: TestPostgres;
let temporal: TestTemporal;
let database: Database;
let children: ChildPool;
beforeAll(async () => {
  [postgres, temporal] = await Promise.all([startTestPostgres(), startTestTemporal()]);
  ({ database } = await postgres.createDatabase());
  await seedExperiment(database);
  children = createChildPool(PROGRAM, 60_000);
});
afterAll(async () => {
  await children.close();
  await Promise.all([postgres.stop(), temporal.stop()]);
});

/** Each activity in a workflow of its own, beside each other. */
async function outcomesOf(activities: Record<string, () => Promise<void>>): Promise<string[]> {
  const taskQueue = randomUUID();
  const connection = await NativeConnection.connect({ address: temporal.address });
  const workflowsPath = fileURLToPath(new URL('../support/heartbeat-workflow.ts', import.meta.url));
  const worker = await Worker.create({ connection, taskQueue, activities, workflowsPath });
  const outcomes = await worker.runUntil(
    Promise.allSettled(
      Object.keys(activities).map((name) =>
        temporal.client.workflow.execute('heartbeatWorkflow', {
          ...{ taskQueue, workflowId: name, args: [name, HEARTBEAT_TIMEOUT_MS] },
        }),
      ),
    ),
  );
  await connection.close();
  return outcomes.map(({ status }) => status);
}

it('[P48] an attempt whose process is blocked for twice the heartbeat timeout is not lost; one without heartbeats is', async () => {
  const [run] = await listRuns(database, 'example-1');
  const dependencies: ActivityDependencies = {
    ...{ database, children, artifacts: createFolderStore('/nowhere'), registries: DEFAULT_REGISTRIES },
    ...{ worker: 'host:1', fingerprint: () => ({}), programVersion: '0', clock: () => performance.now() },
  };
  const place = { runId: run!.id, kind: 'train_round', round: 0 } as const;
  const outcomes = await outcomesOf({
    attempt: () =>
      runAttempt(dependencies, place, (attempt) =>
        attempt.compute('block' as 'train', BLOCKED_MS as unknown as SessionState),
      ),
    silent: () => delay(BLOCKED_MS),
  });
  expect(outcomes).toEqual(['fulfilled', 'rejected']);
  expect(await listAttempts(database, run!.id)).toMatchObject([{ number: 1 }]);
});
