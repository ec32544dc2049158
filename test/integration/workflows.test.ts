import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationFailure, Context } from '@temporalio/activity';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FailureClass } from '../../schemas/records.ts';
import { scripted, type Script, type ScriptedRows } from '../support/scripted-activities.ts';
import { startTestTemporal, type TestTemporal } from '../support/temporal.ts';

let temporal: TestTemporal;
beforeAll(async () => {
  temporal = await startTestTemporal();
});
afterAll(() => temporal.stop());

/** Names everything of one test: workflows of runs are called after them. */
let experimentId: string;
beforeEach(() => void (experimentId = `${randomUUID().slice(0, 8)}-`));

const idOf = (index: number): string => `${experimentId}r${index}`;
const workflow = () => temporal.client.workflow.getHandle(`experiment/${experimentId}`);

/** As the command line does it: the workflow is started, or told to look again. */
async function start(input: { historyEventsMax?: number } = {}): Promise<void> {
  await temporal.client.workflow.signalWithStart('runExperiment', {
    workflowId: `experiment/${experimentId}`,
    taskQueue: 'orchestrate',
    args: [{ experimentId, afterPosition: -1, ...input }],
    signal: 'lookAgain',
  });
}

/** Carries an experiment out. @param work what happens beside it */
async function carryOut(
  script: Script,
  work: (rows: ScriptedRows) => Promise<void> = async () => undefined,
): Promise<ScriptedRows> {
  const { rows, activities } = scripted({ ...script, experimentId });
  await temporal.withActivities(activities, async () => {
    await start();
    await work(rows);
    await workflow().result();
  });
  return rows;
}

const stepsOf = (rows: ScriptedRows, ending: string): string[] => rows.steps.filter((step) => step.endsWith(ending));

const failWith = (type: FailureClass): never => {
  throw ApplicationFailure.create({ type, message: `a scripted ${type}`, nonRetryable: true });
};

/** Waits for the end of the activity, hearing of it with the heartbeats. */
async function untilCancelled(): Promise<void> {
  const context = Context.current();
  const heartbeat = setInterval(() => context.heartbeat(), 100);
  try {
    await context.cancelled;
  } finally {
    clearInterval(heartbeat);
  }
}

/** A step that is held the first time: `reached` settles when it has begun, and it ends after `release`. */
function gate(step: () => string) {
  let release: () => void = () => undefined;
  let reach: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  let isUsed = false;
  return {
    reached,
    release: () => release(),
    hold: async (each: string, until: () => Promise<void> = () => released): Promise<void> => {
      if (each !== step() || isUsed) return;
      isUsed = true;
      reach();
      await until();
    },
  };
}

describe('runExperiment', () => {
  it('[P93] [P94] runs every run once across the border of a page, never more at once than the window', async () => {
    const rows = await carryOut({ runCount: 53, page: { concurrencyMax: 8 }, plan: { roundCount: 0 } });
    const finished = stepsOf(rows, 'finish');
    expect(new Set(finished).size).toBe(53);
    expect(finished).toHaveLength(53);
    expect(rows.inHandMax).toBeLessThanOrEqual(8);
    expect(rows.inHandMax).toBeGreaterThan(1);
  });

  it('[P98] goes on with the others when a run fails', async () => {
    const onStep = (step: string) => (step === `${idOf(1)} train 0` ? failWith('diverged') : undefined);
    const rows = await carryOut({ runCount: 4, onStep });
    expect(rows.closed).toMatchObject([{ runId: idOf(1), state: 'FAILED' }]);
    expect(stepsOf(rows, 'finish').sort()).toEqual([0, 2, 3].map((index) => `${idOf(index)} finish`));
  });

  it('[P50] with on_failure stop starts nothing further, cancels what has not begun at once, and lets the rest end', async () => {
    const held = gate(() => `${idOf(0)} train 0`);
    const onStep = (step: string) => (step === `${idOf(1)} train 0` ? failWith('diverged') : held.hold(step));
    const rows = await carryOut({ runCount: 5, page: { stopsOnFailure: true }, onStep }, async (journal) => {
      await held.reached;
      await expect.poll(() => journal.cancelledQueues).toHaveLength(1);
      held.release();
    });
    expect(stepsOf(rows, 'finish')).toEqual([`${idOf(0)} finish`]);
    expect(rows.steps.some((step) => step.startsWith(idOf(2)))).toBe(false);
  });

  it('[P01] goes on with exactly what was stopped when it is queued again', async () => {
    const onStep = (step: string) => (step === `${idOf(0)} train 0` ? failWith('diverged') : undefined);
    const script = { runCount: 3, page: { stopsOnFailure: true, concurrencyMax: 1 }, onStep };
    const { rows, activities } = scripted({ ...script, experimentId });
    await temporal.withActivities(activities, async () => {
      await start();
      await workflow().result();
      expect(rows.cancelledQueues).toHaveLength(1);
      await start();
      await workflow().result();
    });
    expect(stepsOf(rows, 'finish')).toEqual([`${idOf(1)} finish`, `${idOf(2)} finish`]);
  });

  it('goes on as a new workflow when its history is full, in order and within the window', async () => {
    const { rows, activities } = scripted({ experimentId, runCount: 12, plan: { roundCount: 0 } });
    await temporal.withActivities(activities, async () => {
      await start({ historyEventsMax: 40 });
      const first = await workflow().describe();
      await workflow().result();
      expect((await workflow().describe()).runId).not.toBe(first.runId);
    });
    expect(stepsOf(rows, 'finish')).toHaveLength(12);
    expect(rows.open.size).toBe(0);
    expect(rows.inHandMax).toBe(2);
  });
});

describe('runs that are queued again while their experiment is carried out', () => {
  it('are started although the workflow has gone past them', async () => {
    const held = gate(() => `${idOf(2)} train 0`);
    const rows = await carryOut({ runCount: 3, page: { concurrencyMax: 1 }, onStep: held.hold }, async ({ open }) => {
      await held.reached;
      open.add(idOf(0));
      await start();
      held.release();
    });
    expect(stepsOf(rows, 'finish')).toEqual([0, 1, 2, 0].map((index) => `${idOf(index)} finish`));
  });

  it('start at once where the window has room, and do not wait for a run in hand to end', async () => {
    const held = gate(() => `${idOf(1)} train 0`);
    await carryOut({ runCount: 2, onStep: held.hold }, async ({ open, steps }) => {
      await held.reached;
      await expect.poll(() => open.has(idOf(0))).toBe(false);
      open.add(idOf(0));
      await start();
      await expect.poll(() => steps.filter((step) => step === `${idOf(0)} finish`)).toHaveLength(2);
      held.release();
    });
  });

  it('are never lost in the moment in which the workflow ends', async () => {
    const again = 12;
    const rows = await carryOut({ plan: { roundCount: 0 } }, async ({ open }) => {
      for (let round = 1; round <= again; round += 1) {
        await expect.poll(() => open.size, { interval: 2, timeout: 20_000 }).toBe(0);
        // Each time at another moment of the end.
        await delay(3 * round);
        open.add(idOf(0));
        await start();
      }
      await expect.poll(() => open.size, { timeout: 20_000 }).toBe(0);
    });
    expect(stepsOf(rows, 'finish')).toHaveLength(1 + again);
  });

  it('[P04] never exceed the window, however many they are', async () => {
    const held = gate(() => `${idOf(0)} finish`);
    const script = { runCount: 12, page: { concurrencyMax: 1 }, plan: { roundCount: 0 }, onStep: held.hold };
    const rows = await carryOut(script, async ({ open }) => {
      await held.reached;
      for (let index = 1; index < 12; index += 1) open.add(idOf(index));
      await Promise.all([start(), start(), start()]);
      held.release();
    });
    expect(stepsOf(rows, 'finish')).toHaveLength(12);
    expect(rows.inHandMax).toBe(1);
  });
});

describe('a pause', () => {
  it('ends runs after the step they are in, starts none, and what is resumed goes on', async () => {
    const held = gate(() => `${idOf(0)} train 0`);
    const { rows, activities } = scripted({
      experimentId,
      runCount: 3,
      page: { concurrencyMax: 1 },
      onStep: held.hold,
    });
    await temporal.withActivities(activities, async () => {
      await start();
      await held.reached;
      rows.isPaused = true;
      for (const index of [1, 2]) rows.open.delete(idOf(index));
      held.release();
      await workflow().result();
      expect(rows.paused).toEqual([idOf(0)]);
      expect(rows.steps.at(-1)).toBe(`${idOf(0)} train 0`);
      rows.isPaused = false;
      for (const index of [0, 1, 2]) rows.open.add(idOf(index));
      await start();
      await workflow().result();
    });
    expect(stepsOf(rows, 'finish')).toEqual([0, 1, 2].map((index) => `${idOf(index)} finish`));
  });

  it('that ends while a run is still in a step changes nothing for it, and starts the others', async () => {
    const held = gate(() => `${idOf(0)} train 0`);
    const rows = await carryOut({ runCount: 2, onStep: held.hold, page: { concurrencyMax: 1 } }, async (paused) => {
      await held.reached;
      paused.isPaused = true;
      paused.open.delete(idOf(1));
      paused.isPaused = false;
      paused.open.add(idOf(1));
      await start();
      held.release();
    });
    expect(rows.paused).toEqual([]);
    expect(stepsOf(rows, 'finish')).toEqual([`${idOf(0)} finish`, `${idOf(1)} finish`]);
  });

  it('that ends between the step and the end of a run’s workflow loses no run', async () => {
    const held = gate(() => `${idOf(0)} train 0`);
    const { rows, activities } = scripted({ experimentId, onStep: held.hold });
    const pauseRun: typeof activities.pauseRun = async (input) => {
      rows.isPaused = false;
      await start();
      await activities.pauseRun(input);
    };
    await temporal.withActivities({ ...activities, pauseRun }, async () => {
      await start();
      await held.reached;
      rows.isPaused = true;
      held.release();
      await workflow().result();
    });
    expect(rows.paused).toEqual([idOf(0)]);
    expect(stepsOf(rows, 'finish')).toEqual([`${idOf(0)} finish`]);
  });
});

describe('workflows that somebody closes by hand', () => {
  it('[P36] of a run is started again by that of its experiment', async () => {
    const held = gate(() => `${idOf(0)} train 0`);
    const onStep = (step: string) => held.hold(step, untilCancelled);
    const rows = await carryOut({ runCount: 2, onStep }, async () => {
      await held.reached;
      await temporal.client.workflow.getHandle(`run/${idOf(0)}`).terminate();
    });
    expect(stepsOf(rows, 'finish').sort()).toEqual([`${idOf(0)} finish`, `${idOf(1)} finish`]);
    expect(rows.closed).toEqual([]);
  });

  it('[P36] of an experiment takes those of its runs with it, and the next one goes on with the same runs', async () => {
    const held = gate(() => `${idOf(0)} train 0`);
    const onStep = (step: string) => held.hold(step, untilCancelled);
    const rows = await carryOut({ runCount: 2, page: { concurrencyMax: 1 }, onStep }, async () => {
      await held.reached;
      await workflow().terminate();
      // Perhaps before the workflow of the run has closed.
      await start();
    });
    expect(stepsOf(rows, 'finish')).toEqual([`${idOf(0)} finish`, `${idOf(1)} finish`]);
    expect(rows.closed).toEqual([]);
  });

  it('by a request to one run cancels it alone', async () => {
    const held = gate(() => `${idOf(0)} train 0`);
    const onStep = (step: string) => held.hold(step, untilCancelled);
    const rows = await carryOut({ runCount: 2, onStep }, async () => {
      await held.reached;
      await temporal.client.workflow.getHandle(`run/${idOf(0)}`).cancel();
    });
    expect(rows.closed).toMatchObject([{ runId: idOf(0), state: 'CANCELLED' }]);
    expect(stepsOf(rows, 'finish')).toEqual([`${idOf(1)} finish`]);
    expect(rows.cancelledQueues).toEqual([]);
  });
});

describe('runVariant', () => {
  it('goes on as a new workflow after a hundred steps, from the rounds that are completed then', async () => {
    let completed = 0;
    const { rows, activities } = scripted({
      experimentId,
      plan: { roundCount: 105, evaluateEveryRounds: 1000 },
      onStep: (step) => {
        if (step.includes('train')) completed += 1;
      },
    });
    const planRun: typeof activities.planRun = async (input) => ({
      ...(await activities.planRun(input)),
      roundsCompleted: completed,
    });
    await temporal.withActivities({ ...activities, planRun }, async () => {
      await start();
      await workflow().result();
    });
    const trained = rows.steps.filter((step) => step.includes('train'));
    expect(trained).toEqual(Array.from({ length: 105 }, (_, round) => `${idOf(0)} train ${round}`));
    expect(rows.steps.at(-1)).toBe(`${idOf(0)} finish`);
  });

  it('[P23] tries a class again as often as its budget says, and records every failure', async () => {
    const step = () => `${idOf(0)} train 0`;
    const rows = await carryOut({ onStep: (each) => (each === step() ? failWith('lost') : undefined) });
    expect(rows.steps.filter((each) => each === step())).toHaveLength(3);
    expect(rows.failures.map(({ willRetry }) => willRetry)).toEqual([true, true, false]);
    expect(rows.closed).toMatchObject([{ state: 'CRASHED', reason: expect.stringContaining('lost after 3 attempts') }]);
  });

  it('[P40] ends quietly when its run is final already: no attempt is tried again, no state is changed', async () => {
    const { rows, activities } = scripted({
      experimentId,
      onStep: (step) => {
        if (step !== `${idOf(0)} train 0`) return;
        rows.open.delete(idOf(0));
        failWith('lost');
      },
    });
    await temporal.withActivities(activities, async () => {
      await start();
      await workflow().result();
    });
    expect(rows.steps.at(-1)).toBe(`${idOf(0)} train 0`);
    expect(rows.failures).toHaveLength(1);
    expect(rows.closed).toEqual([]);
  });

  it('is TIMED_OUT when the whole run takes too long, and stops what it is doing', async () => {
    const rows = await carryOut({
      plan: { timeoutsMs: { round: 60_000, run: 1_000 } },
      onStep: (step) => (step === `${idOf(0)} train 0` ? untilCancelled() : undefined),
    });
    expect(rows.closed).toMatchObject([{ state: 'TIMED_OUT', reason: expect.stringContaining('timeouts.run') }]);
    expect(rows.steps).not.toContain(`${idOf(0)} finish`);
  });

  it('ends CANCELLED when it is asked to, after its activity has stopped', async () => {
    const held = gate(() => `${idOf(0)} train 0`);
    const { rows, activities } = scripted({
      experimentId,
      onStep: (step) =>
        held.hold(step, async () => {
          try {
            await untilCancelled();
          } finally {
            rows.steps.push('stopped');
          }
        }),
    });
    await temporal.withActivities(activities, async () => {
      await start();
      await held.reached;
      await workflow().cancel();
      await expect(workflow().result()).rejects.toThrow();
    });
    expect(rows.steps.at(-1)).toBe('stopped');
    expect(rows.closed).toMatchObject([{ runId: idOf(0), state: 'CANCELLED' }]);
    expect(rows.cancelledQueues).toEqual(['cancelled by request']);
  });
});
