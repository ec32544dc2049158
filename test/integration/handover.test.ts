import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childrenOf } from '../../cli/bench/process-table.ts';
import { listAttempts, type AttemptRecord } from '../../infra/postgres/attempt-rows.ts';
import { isGroupAlive } from '../../infra/process-group.ts';
import type { AttemptRow, OutageScene } from '../support/outage-scene.ts';
import { OutageStage } from '../support/outage-stage.ts';

// Two real workers on real servers, of which the one that trains is killed or told to stop. The scenes are played side by
// side, because most of the time is spent waiting.

const ROUNDS = 4;
const ENV_STEPS_OF_ROUND = 102_400;
/** One run in rounds of some seconds. */
const EXPERIMENT = [
  'variants={"pool":{"strategy":{"kind":"pool","size":2}}}',
  'seeds=[0]',
  `budget={"rounds":${ROUNDS},"env_steps":${ROUNDS * ENV_STEPS_OF_ROUND}}`,
  `evaluation.every_rounds=${ROUNDS}`,
];
const PATIENCE_MS = 180_000;

let stage: OutageStage;
beforeAll(async () => void (stage = await OutageStage.start(EXPERIMENT)));
afterAll(() => stage.stop());

/**
 * A worker whose training process stands still in the first half of a round, so that this round cannot end; another that is
 * ready to take over; and the attempt of the first.
 */
async function duet(scene: OutageScene, args: readonly string[] = []) {
  const first = scene.startWorker(args);
  const attempt = await scene.until(async () => {
    const { rows } = await scene.session.database.query(
      `select 1 from runs where progress_env_steps - env_steps < $1 and progress_env_steps > env_steps`,
      [ENV_STEPS_OF_ROUND / 2],
    );
    return rows.length === 0 ? undefined : (await scene.attempts()).findLast(({ isUnderWay }) => isUnderWay);
  });
  const [child] = childrenOf(attempt.workerPid);
  // Before the other starts, which may take longer than all rounds together.
  process.kill(child!, 'SIGSTOP');
  const second = scene.startWorker();
  await scene.until(async () => (second.log().includes('the worker is ready') ? true : undefined));
  return { first, attempt, child: child! };
}

/** An attempt and the one after it, as soon as that has begun. */
async function untilNext(scene: OutageScene, { runId, number }: AttemptRow): Promise<[AttemptRecord, AttemptRecord]> {
  return scene.until(async () => {
    const attempts = await listAttempts(scene.session.database, runId);
    const [attempt, next] = attempts.filter((each) => each.number === number || each.number === number + 1);
    return attempt !== undefined && next !== undefined ? [attempt, next] : undefined;
  });
}

async function expectUndisturbedRows(scene: OutageScene): Promise<void> {
  const runs = await scene.untilOver();
  expect(runs.map(({ state, reason }) => [state, reason])).toEqual(runs.map(() => ['SUCCEEDED', null]));
  expect(await scene.digest()).toBe(await (await stage.undisturbed).digest());
}

describe.concurrent('a worker', () => {
  it(
    '[P22] [P42] that is killed is followed by another, which makes the next attempt at the same round',
    async () => {
      const scene = await stage.open('killed');
      const { first, attempt, child } = await duet(scene);
      const killedMs = Date.now();
      first.process.kill('SIGKILL');
      process.kill(child, 'SIGCONT');
      const [lost, next] = await untilNext(scene, attempt);
      process.stdout.write(
        `from kill -9 to the next attempt: ${((Number(next.startedAt) - killedMs) / 1000).toFixed(2)} s\n`,
      );
      expect([lost.outcome, lost.processId, lost.exitCode]).toEqual(['lost', null, null]);
      expect([next.kind, next.round]).toEqual([lost.kind, lost.round]);
      expect(next.worker).not.toBe(lost.worker);
      await expectUndisturbedRows(scene);
    },
    PATIENCE_MS,
  );

  it(
    'that is told to stop gives a round back that takes longer than the grace time, and the next worker begins it at once',
    async () => {
      const scene = await stage.open('stopped');
      const { first, attempt, child } = await duet(scene, ['--grace', '1s']);
      first.process.kill('SIGTERM');
      const [[exitCode], [lost, next]] = await Promise.all([once(first.process, 'exit'), untilNext(scene, attempt)]);
      process.stdout.write(
        `from the end of an attempt to the next: ${Number(next.startedAt) - Number(lost.endedAt)} ms\n`,
      );
      expect(exitCode).toBe(0);
      expect([lost.outcome, lost.message]).toEqual(['lost', 'its worker stopped']);
      expect(isGroupAlive(child)).toBe(false);
      expect([next.kind, next.round]).toEqual([lost.kind, lost.round]);
      expect(next.worker).not.toBe(lost.worker);
      const { events } = await scene.history(attempt.runId);
      expect(events!.filter((event) => event.activityTaskTimedOutEventAttributes)).toEqual([]);
      // The one of the whole run; none that holds the retry back.
      expect(events!.filter((event) => event.timerStartedEventAttributes)).toHaveLength(1);
      await expectUndisturbedRows(scene);
    },
    PATIENCE_MS,
  );

  it(
    'that is told to stop ends the round that it has begun within the grace time, takes no other, and leaves no process',
    async () => {
      const scene = await stage.open('finished');
      const { first, attempt, child } = await duet(scene, ['--grace', '1m']);
      first.process.kill('SIGTERM');
      process.kill(child, 'SIGCONT');
      const [[exitCode], [done, next]] = await Promise.all([once(first.process, 'exit'), untilNext(scene, attempt)]);
      expect([exitCode, done.outcome]).toEqual([0, 'done']);
      expect(next.worker).not.toBe(done.worker);
      expect([done.processId, isGroupAlive(child)]).toEqual([child, false]);
      await expectUndisturbedRows(scene);
    },
    PATIENCE_MS,
  );
});
