import { expect, it, vi } from 'vitest';
import { benchSpec } from '../../cli/bench/spec.ts';
import { inPrivateHome } from '../../cli/bench/private-home.ts';
import { kill, survivors } from '../../cli/bench/victims.ts';
import { cancelRuns } from '../../cli/lifecycle/cancellation.ts';
import { findTarget } from '../../cli/runs/find-target.ts';
import { fork } from '../../cli/lifecycle/fork-experiment.ts';
import { requeue } from '../../cli/lifecycle/requeue.ts';
import { isComplete, resume } from '../../cli/lifecycle/resume-experiment.ts';
import { FAILED_STATES, isFinished } from '../../cli/runs/run-counts.ts';
import { takeServices, type ServiceSession } from '../../cli/services/service-session.ts';
import { submitSpecs } from '../../cli/submission/submission.ts';
import { SILENT, watchExperiment } from '../../cli/watching/watching.ts';
import { deterministicDigest } from '../../infra/postgres/deterministic-digest.ts';
import { findExperiment } from '../../infra/postgres/experiment-rows.ts';
import { listRuns, setRunState, type RunStatus } from '../../infra/postgres/run-rows.ts';
import { thaw } from '../support/command-line.ts';
import { storedSession } from '../support/stored-session.ts';

const SEEDS = 2;
const ROUNDS = 3;
const ROUND_STEPS = 800;
/** Two variants of short rounds. */
const GRID = [
  'variants={"pool":{"strategy":{"kind":"pool","size":2}},"frozen":{"strategy":{"kind":"frozen","simulator":"partner_fixed"}}}',
  `seeds={"first":0,"count":${SEEDS}}`,
  'algorithm={"name":"ippo","hidden_sizes":[8],"parallel_environments":32,"learning_rate_schedule":"constant"}',
  `budget={"rounds":${ROUNDS},"env_steps":${ROUNDS * ROUND_STEPS}}`,
  'evaluation={"every_rounds":3,"episodes":2,"final_episodes":2}',
];

async function submit(session: ServiceSession, ...overrides: string[]): Promise<string> {
  const [submission] = await submitSpecs(session, [await benchSpec('durability', [...GRID, ...overrides])]);
  return submission!.experiment.id;
}

async function watch(
  { database }: ServiceSession,
  id: string,
  until?: (runs: readonly RunStatus[]) => boolean,
): Promise<readonly RunStatus[]> {
  const experiment = await findExperiment(database, id);
  return watchExperiment(database, experiment, { display: SILENT, ...(until && { until }) });
}

const roundsOf = (runs: readonly RunStatus[]): number => runs.reduce((sum, run) => sum + run.roundsCompleted, 0);

/** Finished attempts at training, by run and round: none may be repeated. */
async function trainedTwice({ database }: ServiceSession, id: string): Promise<unknown[]> {
  const { rows } = await database.query(
    `select a.run_id, a.round from attempts a join runs r on r.id = a.run_id
      where r.experiment_id = $1 and a.kind = 'train_round' and a.outcome = 'done' group by 1, 2 having count(*) > 1`,
    [id],
  );
  return rows;
}

/** Pairs of attempts of one experiment that were under way at the same time. */
async function overlaps({ database }: ServiceSession, id: string): Promise<unknown[]> {
  const { rows } = await database.query(
    `select a.run_id, b.run_id as other from attempts a join attempts b on (a.run_id, a.number) < (b.run_id, b.number)
       join runs r on r.id = a.run_id join runs o on o.id = b.run_id
      where r.experiment_id = $1 and o.experiment_id = $1 and a.started_at < b.ended_at and b.started_at < a.ended_at`,
    [id],
  );
  return rows;
}

it('[P02][P12][P13][P14][P21][P62] a batch that loses everything at once is resumed to the full grid, with nothing trained twice', async () => {
  await inPrivateHome(async (session) => {
    const { database, configuration } = session;
    const id = await submit(session);
    const before = await watch(session, id, (runs) => roundsOf(runs) >= 2);
    const doomed = kill(configuration, 'everything at once');
    expect(doomed.length).toBeGreaterThan(3);
    const services = await takeServices(configuration);
    try {
      const found = await listRuns(database, id);
      expect(found.map((run, index) => run.roundsCompleted >= before[index]!.roundsCompleted)).not.toContain(false);
      // Asked for while the server's own memory brings the workflow back: nothing is done twice.
      await resume(session, await findTarget(database, id), null);
      await watch(session, id, (runs) => roundsOf(runs) > roundsOf(found));
      await cancelRuns(session, { experiment: await findExperiment(database, id) });
      await expectOneView(session, id);
      await resume(session, await findTarget(database, id), null);
      const after = await watch(session, id, isFinished);
      expect(after).toHaveLength(2 * SEEDS);
      expect(new Set(after.map(({ variant, seed }) => `${variant}/${seed}`)).size).toBe(2 * SEEDS);
      expect(after.every(({ state, roundsCompleted }) => state === 'SUCCEEDED' && roundsCompleted === ROUNDS)).toBe(
        true,
      );
      expect(await trainedTwice(session, id)).toEqual([]);
      expect(survivors(doomed)).toEqual([]);
      expect(isComplete(await findTarget(database, id), null)).toBe(true);
      await continueElsewhere(session, id);
      await retryOneAtATime(session);
    } finally {
      services.release();
    }
  });
}, 240_000);

/** [P21] What stands in the rows is what a command shows, and no workflow says otherwise. */
async function expectOneView({ database, configuration, orchestrator }: ServiceSession, id: string): Promise<void> {
  const rows = await listRuns(database, id);
  expect(rows.some(({ state }) => state === 'CANCELLED')).toBe(true);
  const { stdout } = await thaw(['get', id, '-o', 'json'], { THAW_HOME: configuration.home });
  expect(JSON.parse(stdout)).toMatchObject({
    runs: rows.map(({ id: run, state, roundsCompleted }) => ({ id: run, state, rounds_completed: roundsCompleted })),
  });
  await vi.waitUntil(async () => !(await orchestrator.isExperimentOpen({ id })), 10_000);
}

/** [P54][P56] A fork from the last round ends like a longer experiment, and equal finished runs are not computed. */
async function continueElsewhere(session: ServiceSession, id: string): Promise<void> {
  const { database } = session;
  const longer = `budget={"rounds":${ROUNDS + 1},"env_steps":${(ROUNDS + 1) * ROUND_STEPS}}`;
  const { submission } = await fork(session, id, { overrides: [longer], fromRound: ROUNDS });
  const whole = await submit(session, longer, 'name=whole');
  const linked = await listRuns(database, await submit(session, 'name=again'));
  expect(linked.every(({ state, attempts }) => state === 'SKIPPED' && attempts === 0)).toBe(true);
  for (const each of [submission.experiment.id, whole]) await watch(session, each, isFinished);
  expect(await deterministicDigest(database, submission.experiment.id)).toBe(
    await deterministicDigest(database, whole),
  );
}

/** [P04][P55] Twenty failed runs that are tried again in a window of one never run two at once, and each is filled in. */
async function retryOneAtATime(session: ServiceSession): Promise<void> {
  const { database } = session;
  // Stored and failed before any workflow has seen it.
  const { session: stored } = storedSession(database, { home: session.configuration.home });
  const spec = await benchSpec('short', ['seeds={"first":0,"count":20}', 'execution.max_concurrent_runs=1']);
  const [submission] = await submitSpecs(stored, [spec]);
  const { id } = submission!.experiment;
  for (const run of submission!.runs) await setRunState(database, run.id, 'CRASHED', 'lost');
  const target = await findTarget(database, id);
  const { counts } = await requeue(session, target, { states: FAILED_STATES, endsPause: false, change: null });
  expect(counts).toEqual({ CRASHED: 20 });
  const after = await watch(session, id, isFinished);
  expect(after.map(({ state }) => state)).toEqual(Array(20).fill('SUCCEEDED'));
  expect(await overlaps(session, id)).toEqual([]);
}
