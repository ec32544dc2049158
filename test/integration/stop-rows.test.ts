import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { planRun } from '../../activities/run-bookkeeping.ts';
import { beginAttempt, commitInAttempt, type AttemptToken } from '../../infra/postgres/attempt-rows.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { listEvents } from '../../infra/postgres/event-rows.ts';
import { runId } from '../../infra/postgres/experiment-rows.ts';
import { listOpenExperiments, listRuns, setRunState, skipIfEqualSucceeded } from '../../infra/postgres/run-rows.ts';
import {
  cancelWaitingRuns,
  closeOpenRuns,
  findStop,
  listResting,
  pauseExperiment,
  pauseRun,
  requestCancellation,
} from '../../infra/postgres/stop-rows.ts';
import type { Orchestrator } from '../../infra/temporal/client.ts';
import { reconcile } from '../../infra/temporal/reconcile.ts';
import { FINAL_STATES, isFinalState } from '../../schemas/records.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { finishRun, seedExperiment } from '../support/seeded-experiment.ts';

let postgres: TestPostgres;
let database: Database;
beforeAll(async () => void (postgres = await startTestPostgres()));
afterAll(() => postgres.stop());

const ID = 'example-1';
const ALL = { experimentId: ID, runId: undefined };
const FIRST = runId(ID, 'frozen', 0);
const SECOND = runId(ID, 'pool', 0);

beforeEach(async () => {
  ({ database } = await postgres.createDatabase());
  await seedExperiment(database);
});

const begin = (id: string): Promise<AttemptToken> =>
  beginAttempt(database, { runId: id, kind: 'train_round', round: 0, worker: 'w', fingerprint: {} });
const stateOf = async (id: string): Promise<string> =>
  (await listRuns(database, ID)).find((run) => run.id === id)!.state;
const write = (token: AttemptToken): Promise<void> => commitInAttempt(database, token, null, async () => undefined);
const resume = () => database.query('update experiments set paused_at = null where id = $1', [ID]);

/** [P35] */
async function openAttemptsOfFinalRuns(): Promise<unknown[]> {
  const { rows } = await database.query(
    'select run_id from attempts a join runs r on r.id = run_id where ended_at is null and r.state = any($1)',
    [FINAL_STATES],
  );
  return rows;
}

describe('a pause', () => {
  it('is at once for what waits; what runs goes on, and begins nothing more', async () => {
    const token = await begin(FIRST);
    await pauseExperiment(database, ID);
    expect((await listRuns(database, ID)).map(({ state }) => state)).toEqual(['RUNNING', 'PAUSED', 'PAUSED', 'PAUSED']);
    await write(token);
    expect(await findStop(database, FIRST)).toEqual({ isPaused: true, isOver: false });
    expect(await listOpenExperiments(database)).toEqual([{ id: ID }]);
    expect(await pauseRun(database, FIRST)).toBe(true);
    expect(await listOpenExperiments(database)).toEqual([]);
    expect(await listResting(database, [FIRST, 'unknown'])).toEqual([FIRST]);
  });

  it('of a run does not happen when somebody has resumed its experiment, or is cancelling the run', async () => {
    await begin(FIRST);
    await pauseExperiment(database, ID);
    await resume();
    expect(await pauseRun(database, FIRST)).toBe(false);
    await pauseExperiment(database, ID);
    await requestCancellation(database, { experimentId: ID, runId: FIRST });
    expect(await pauseRun(database, FIRST)).toBe(false);
    expect(await stateOf(FIRST)).toBe('CANCELLING');
  });

  it('that is ended in the same moment leaves no run paused under an experiment that is not', async () => {
    await begin(FIRST);
    await pauseExperiment(database, ID);
    const pausing = await database.transaction(async (client) => {
      await client.query('update experiments set paused_at = null where id = $1', [ID]);
      const waits = pauseRun(database, FIRST);
      const timeout = new Promise((resolve) => setTimeout(resolve, 50, 'waits for us'));
      expect(await Promise.race([waits, timeout])).toBe('waits for us');
      return { waits };
    });
    expect(await pausing.waits).toBe(false);
    expect(await stateOf(FIRST)).toBe('RUNNING');
  });
});

describe('a cancellation', () => {
  it('is at once for what waits or is paused, ends the pause, and is asked of what runs', async () => {
    await begin(FIRST);
    await pauseExperiment(database, ID);
    await requestCancellation(database, ALL);
    const states = (await listRuns(database, ID)).map(({ state }) => state);
    expect(states).toEqual(['CANCELLING', 'CANCELLED', 'CANCELLED', 'CANCELLED']);
    expect(await findStop(database, FIRST)).toEqual({ isPaused: false, isOver: false });
    await cancelWaitingRuns(database, ID, 'cancelled by request');
    expect(await stateOf(FIRST)).toBe('CANCELLED');
    expect(await openAttemptsOfFinalRuns()).toEqual([]);
  });

  it('of one run leaves the others as they are', async () => {
    await requestCancellation(database, { experimentId: ID, runId: SECOND });
    expect((await listRuns(database, ID)).filter(({ state }) => isFinalState(state)).map(({ id }) => id)).toEqual([
      SECOND,
    ]);
  });
});

describe('a run whose workflow is started again', () => {
  const plan = (id: string) =>
    planRun({ database, registries: DEFAULT_REGISTRIES } as ActivityDependencies, { runId: id });

  it('while it was being cancelled is cancelled, and not begun again', async () => {
    await begin(FIRST);
    await requestCancellation(database, { experimentId: ID, runId: FIRST });
    expect(await plan(FIRST)).toMatchObject({ isFinal: true });
    expect(await stateOf(FIRST)).toBe('CANCELLED');
    expect(await openAttemptsOfFinalRuns()).toEqual([]);
  });

  it('goes on where its experiment is not paused', async () => {
    expect(await plan(SECOND)).toMatchObject({ isFinal: false, isPaused: false });
    await pauseExperiment(database, ID);
    expect(await plan(SECOND)).toMatchObject({ isFinal: false, isPaused: true });
  });
});

describe('[P35] under a run that is over no attempt is open, and none can write', () => {
  it.each([
    ['killed', () => closeOpenRuns(database, ALL, 'killed by request')],
    ['killed alone', () => closeOpenRuns(database, { experimentId: ID, runId: FIRST }, 'killed by request')],
    ['closed', () => setRunState(database, FIRST, 'FAILED', 'broken')],
    [
      'equal to one that has succeeded meanwhile',
      async () => {
        await seedExperiment(database, { id: 'equal-1' });
        await finishRun(database, runId('equal-1', 'frozen', 0));
        return skipIfEqualSucceeded(database, FIRST);
      },
    ],
  ])('when it is %s', async (_, end) => {
    const token = await begin(FIRST);
    await end();
    expect(isFinalState((await listRuns(database, ID))[0]!.state)).toBe(true);
    expect(await openAttemptsOfFinalRuns()).toEqual([]);
    await expect(write(token)).rejects.toMatchObject({ code: 'WORLD_ATTEMPT_SUPERSEDED' });
    expect(await findStop(database, FIRST)).toEqual({ isPaused: false, isOver: true });
  });

  it('and its log says who ended it', async () => {
    const ended = await closeOpenRuns(database, { experimentId: ID, runId: FIRST }, 'killed by request');
    expect(ended).toEqual([FIRST]);
    const events = await listEvents(database, { experimentId: ID, runId: FIRST }, { after: 0, limit: 10 });
    expect(events.at(-1)!.message).toBe('CANCELLED: killed by request');
  });
});

describe('the reconciler', () => {
  /** Workflows of which none is open, but those that were started. */
  function orchestration(): { orchestrator: Orchestrator; started: string[] } {
    const started: string[] = [];
    const orchestrator: Orchestrator = {
      startExperiment: async ({ id }) => void started.push(id),
      isExperimentOpen: async ({ id }) => started.includes(id),
      cancelExperiment: async () => false,
      cancelRun: async () => false,
      terminateExperiment: async () => undefined,
      terminateRun: async () => undefined,
      backlogs: async () => [],
      close: async () => undefined,
    };
    return { orchestrator, started };
  }

  it('[P36] starts the workflow of an experiment with open runs that has none, once, and tells it', async () => {
    const { orchestrator, started } = orchestration();
    expect(await reconcile(database, orchestrator, { secondLookMs: 0 })).toEqual([ID]);
    expect(await reconcile(database, orchestrator, { secondLookMs: 0 })).toEqual([]);
    expect(started).toEqual([ID]);
    const events = await listEvents(database, { experimentId: ID }, { after: 0, limit: 10 });
    expect(events.at(-1)!.kind).toBe('reconciled');
  });

  it('leaves alone what is over, paused, or got its workflow in the next moment', async () => {
    const { orchestrator, started } = orchestration();
    await pauseExperiment(database, ID);
    await seedExperiment(database, { id: 'over-1' });
    await closeOpenRuns(database, { experimentId: 'over-1', runId: undefined }, 'killed by request');
    expect(await reconcile(database, orchestrator, { secondLookMs: 0 })).toEqual([]);
    await seedExperiment(database, { id: 'just-submitted-1' });
    const looking = reconcile(database, orchestrator, { secondLookMs: 200 });
    setTimeout(() => void orchestrator.startExperiment({ id: 'just-submitted-1' }), 50);
    expect(await looking).toEqual([]);
    expect(started).toEqual(['just-submitted-1']);
  });
});
