import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runAttempt } from '../../activities/attempt.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { createChildPool, type ChildPool } from '../../infra/children/child-pool.ts';
import type { MemoryBudget } from '../../infra/children/memory-budget.ts';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import { listAttempts } from '../../infra/postgres/attempt-rows.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { listEvents } from '../../infra/postgres/event-rows.ts';
import { listRuns } from '../../infra/postgres/run-rows.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { seedExperiment } from '../support/seeded-experiment.ts';
import { inActivity } from '../support/take-run.ts';

// Attempts over real rows that need no process: what they wait for is memory.

const DECLARED_MIB = 2048;
let postgres: TestPostgres;
let database: Database;
let children: ChildPool;
beforeAll(async () => void (postgres = await startTestPostgres()));
afterAll(() => postgres.stop());
afterEach(() => children.close());

/** A worker with a budget, and two runs that declare as much as runs do. */
async function open(budget: MemoryBudget) {
  ({ database } = await postgres.createDatabase());
  await seedExperiment(database, { overrides: [`execution.memory_mib=${DECLARED_MIB}`] });
  const [first, second] = await listRuns(database, 'example-1');
  children = createChildPool('/nowhere', 60_000, { budget });
  const dependencies: ActivityDependencies = {
    ...{ database, children, artifacts: createFolderStore('/nowhere'), registries: DEFAULT_REGISTRIES },
    ...{ worker: 'host:1', fingerprint: () => ({}), programVersion: '0', clock: () => 0 },
  };
  const attempt = (runId: string, work: () => Promise<void> = async () => undefined) =>
    inActivity(() =>
      runAttempt(dependencies, { runId, kind: 'train_round', round: 0 }, async ({ settings }) => {
        await work();
        return settings.memoryLimitMib;
      }),
    );
  return { first: first!.id, second: second!.id, attempt };
}

async function eventsOf(runId: string) {
  const events = await listEvents(database, { experimentId: 'example-1', runId }, { after: 0, limit: 100 });
  return events.map(({ kind, message }) => `${kind}: ${message}`);
}

/** Waits, asking again and again, until it holds. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds()));
}

/** Work that goes on until it is told to end, also where it is told before it has begun. */
function endless() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { work: () => ended, end };
}

describe('an attempt', () => {
  it('waits for the memory that its run declares, and the log of the run says so once', async () => {
    const { first, second, attempt } = await open({ limitMib: 3000, isChosen: true });
    const busy = endless();
    const atWork = attempt(first, busy.work);
    await until(async () => (await listAttempts(database, first)).length === 1);
    const waiting = attempt(second);
    const line = `waiting: for memory on worker host:1: ${DECLARED_MIB} MiB asked for, ${DECLARED_MIB} of 3000 MiB in use`;
    await until(async () => (await eventsOf(second)).length > 0);
    expect(await eventsOf(second)).toEqual([line]);
    expect(await listAttempts(database, second)).toEqual([]);
    busy.end();
    await Promise.all([atWork, waiting]);
    expect(await listAttempts(database, second)).toMatchObject([{ settings: { memoryLimitMib: DECLARED_MIB } }]);
    const busyAgain = endless();
    const again = attempt(first, busyAgain.work);
    await until(async () => (await listAttempts(database, first)).length === 2);
    const waitingAgain = attempt(second);
    busyAgain.end();
    await Promise.all([again, waitingAgain]);
    expect(await eventsOf(second)).toEqual([line]);
  });

  it('that can never have its memory on this worker is a wrong request, with a row that says what to do', async () => {
    const { first, attempt } = await open({ limitMib: 1000, isChosen: true });
    await expect(attempt(first)).rejects.toMatchObject({ type: 'request' });
    expect(await listAttempts(database, first)).toMatchObject([
      { outcome: 'request', message: expect.stringContaining('--set execution.memory_mib=1000') },
    ]);
  });

  it('has less than its run declares where the whole machine has less, which its row and the log say', async () => {
    const { first, attempt } = await open({ limitMib: 1000, isChosen: false });
    expect(await attempt(first)).toBe(1000);
    expect(await listAttempts(database, first)).toMatchObject([{ settings: { memoryLimitMib: 1000 } }]);
    expect(await eventsOf(first)).toEqual([
      expect.stringMatching(/^limited: execution.memory_mib is 2048, but .* 1000 MiB/),
    ]);
  });
});
