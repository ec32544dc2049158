import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it, type ExpectStatic } from 'vitest';
import type { OutageScene } from '../support/outage-scene.ts';
import { OutageStage } from '../support/outage-stage.ts';

// Real servers, real workers as processes of their own, and wires between them that are cut. Most of the time is spent
// waiting for timeouts, so the scenes are played side by side.

/** Two runs, one after the other, in rounds of about a second. */
const EXPERIMENT = [
  'variants={"pool":{"strategy":{"kind":"pool","size":2}},"co_train":{"strategy":{"kind":"co_train","reward":"adversarial"}}}',
  'seeds=[0]',
  'budget={"rounds":6,"env_steps":307200}',
  'evaluation.every_rounds=3',
  'execution.max_concurrent_runs=1',
];
/** How long the database is away; a minute takes too long for every day. */
const OUTAGE_S = Number(process.env['OUTAGE_S'] ?? 15);
const PATIENCE_MS = 240_000 + 2000 * OUTAGE_S;

let stage: OutageStage;
beforeAll(async () => void (stage = await OutageStage.start(EXPERIMENT)));
afterAll(() => stage.stop());

/** How the attempts ended, in their order. */
const outcomesOf = async (scene: OutageScene) => (await scene.attempts()).map(({ outcome }) => String(outcome));

async function expectUndisturbedRows(expect: ExpectStatic, scene: OutageScene): Promise<void> {
  const runs = await scene.untilOver();
  expect(runs.map(({ state, reason }) => [state, reason])).toEqual(runs.map(() => ['SUCCEEDED', null]));
  expect(await scene.digest()).toBe(await (await stage.undisturbed).digest());
}

describe.concurrent(
  '[P73][P101] a run succeeds with its result and never without, and rows are those of one left alone',
  () => {
    it(
      '[P47][P59] when the network to Temporal is gone for longer than the heartbeat timeout',
      async ({ expect }) => {
        const scene = await stage.open('network');
        scene.startWorker();
        const { runId } = await scene.untilUnderWay();
        scene.temporalWire.cut();
        await scene.untilTimedOut(runId);
        scene.temporalWire.restore();
        await expectUndisturbedRows(expect, scene);
      },
      PATIENCE_MS,
    );

    it(
      `[P46][P71] when the database is away for ${OUTAGE_S} s: training goes on, and what it writes waits`,
      async ({ expect }) => {
        const scene = await stage.open('database');
        scene.startWorker();
        await scene.untilUnderWay();
        scene.postgresWire.refuse();
        await delay(1000 * OUTAGE_S);
        scene.postgresWire.restore();
        await expectUndisturbedRows(expect, scene);
        // No attempt was lost, and none was needed again.
        expect(await outcomesOf(scene)).toEqual(await outcomesOf(await stage.undisturbed));
      },
      PATIENCE_MS,
    );

    it(
      '[P59][P47][P33][P42] when a worker that was taken for dead wakes up and commits too late, and when one is killed: its slot is free for the next run',
      async ({ expect }) => {
        const scene = await stage.open('fence');
        const workers = [scene.startWorker(), scene.startWorker()];
        const sleeping = await scene.untilUnderWay();
        process.kill(sleeping.workerPid, 'SIGSTOP');
        const next = await scene.until(async () =>
          (await scene.attempts()).find(({ runId, number }) => runId === sleeping.runId && number > sleeping.number),
        );
        expect(next.workerPid).not.toBe(sleeping.workerPid);
        process.kill(sleeping.workerPid, 'SIGCONT');
        const { log } = workers.find(({ process: { pid } }) => pid === sleeping.workerPid)!;
        // What it had computed it may not write any more, and it says so.
        await scene.until(async () => /"activityType":"trainRound".*"msg":"Activity failed"/.exec(log()) ?? undefined);

        const { workerPid: victim } = await scene.untilUnderWay();
        process.kill(victim, 'SIGKILL');
        await expectUndisturbedRows(expect, scene);
        const attempts = await scene.attempts();
        const ofSleeper = attempts.find(({ runId, number }) => runId === sleeping.runId && number === sleeping.number)!;
        expect(ofSleeper.outcome).toBe('lost');
        expect(attempts.filter(({ outcome }) => outcome === 'lost').length).toBeGreaterThanOrEqual(2);
      },
      PATIENCE_MS,
    );
  },
);
