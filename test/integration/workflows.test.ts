import { randomUUID } from 'node:crypto';
import { ApplicationFailure, Context } from '@temporalio/activity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Activities } from '../../activities/create-activities.ts';
import type { FailureClass } from '../../schemas/records.ts';
import type { FailureReport, RunPlan, StepSummary } from '../../schemas/run-plan.ts';
import { startTestTemporal, type TestTemporal } from '../support/temporal.ts';

let temporal: TestTemporal;

beforeAll(async () => {
  temporal = await startTestTemporal();
});
afterAll(() => temporal.stop());

/** Which activities were called, in order, and what the workflows had recorded. */
interface Journal {
  readonly steps: string[];
  readonly failures: FailureReport[];
  readonly closed: { runId: string; state: string; reason: string }[];
  readonly cancelledQueues: string[];
  readonly paused: string[];
  concurrency: number;
  concurrencyMax: number;
}

interface Script {
  readonly runCount?: number;
  readonly concurrencyMax?: number;
  readonly stopsOnFailure?: boolean;
  readonly plan?: Partial<RunPlan>;
  /** Called in every computing activity; it may throw or wait. */
  readonly onStep?: (step: string) => Promise<void> | void;
  readonly isPaused?: () => boolean;
}

/** Activities that compute nothing and write down what they were asked. */
function scripted({ runCount = 1, concurrencyMax = 2, stopsOnFailure = false, plan = {}, onStep, isPaused }: Script) {
  const journal: Journal = {
    steps: [],
    failures: [],
    closed: [],
    cancelledQueues: [],
    paused: [],
    concurrency: 0,
    concurrencyMax: 0,
  };
  const runs = Array.from({ length: runCount }, (_, position) => ({ id: `r${position}`, position }));
  const compute = async (step: string): Promise<StepSummary> => {
    journal.steps.push(step);
    await onStep?.(step);
    return { isPaused: isPaused?.() ?? false, isOver: false };
  };
  const activities: Activities = {
    pageRuns: async ({ afterPosition, limit }) => ({
      runs: runs.filter(({ position }) => position > afterPosition).slice(0, limit),
      concurrencyMax,
      stopsOnFailure,
      priority: 3,
    }),
    planRun: async ({ runId }) => {
      journal.concurrency += 1;
      journal.concurrencyMax = Math.max(journal.concurrencyMax, journal.concurrency);
      return {
        runId,
        experimentId: 'e',
        isFinal: false,
        isPaused: isPaused?.() ?? false,
        roundCount: 1,
        roundsCompleted: 0,
        evaluateEveryRounds: 1,
        adaptRounds: [0],
        timeoutsMs: { round: 60_000, run: 600_000 },
        retries: { error: 1, lost: 2, out_of_memory: 1, timeout: 1, stalled: 1 },
        priority: 3,
        ...plan,
      };
    },
    adaptPool: ({ runId, round }) => compute(`${runId} adapt ${round}`),
    trainRound: ({ runId, round }) => compute(`${runId} train ${round}`),
    evaluatePanels: ({ runId, round }) => compute(`${runId} evaluate ${round}`),
    finishRun: async ({ runId }) => {
      const summary = await compute(`${runId} finish`);
      journal.concurrency -= 1;
      return summary;
    },
    recordFailure: async (report) => {
      journal.failures.push(report);
      return { isPaused: isPaused?.() ?? false, isOver: false };
    },
    pauseRun: async ({ runId }) => {
      journal.concurrency -= 1;
      journal.paused.push(runId);
    },
    closeRun: async (end) => {
      journal.concurrency -= 1;
      journal.closed.push(end);
    },
    cancelQueued: async ({ reason }) => void journal.cancelledQueues.push(reason),
  };
  return { journal, activities };
}

const failWith = (type: FailureClass): never => {
  throw ApplicationFailure.create({ type, message: `a scripted ${type}`, nonRetryable: true });
};

async function runExperiment(script: Script): Promise<Journal> {
  const { journal, activities } = scripted(script);
  await temporal.withActivities(activities, () =>
    temporal.client.workflow.execute('runExperiment', {
      workflowId: randomUUID(),
      taskQueue: 'orchestrate',
      args: [{ experimentId: 'e', afterPosition: -1 }],
    }),
  );
  return journal;
}

describe('runExperiment', () => {
  it('runs every run once across the border of a page, never more at once than the window', async () => {
    const journal = await runExperiment({ runCount: 203, concurrencyMax: 8 });
    const finished = journal.steps.filter((step) => step.endsWith('finish'));
    expect(new Set(finished).size).toBe(203);
    expect(finished).toHaveLength(203);
    expect(journal.concurrencyMax).toBeLessThanOrEqual(8);
    expect(journal.concurrencyMax).toBeGreaterThan(1);
  });

  it('goes on with the others when a run fails', async () => {
    const journal = await runExperiment({
      runCount: 4,
      onStep: (step) => (step === 'r1 train 0' ? failWith('diverged') : undefined),
    });
    expect(journal.closed).toMatchObject([{ runId: 'r1', state: 'FAILED' }]);
    expect(journal.steps.filter((step) => step.endsWith('finish')).sort()).toEqual([
      'r0 finish',
      'r2 finish',
      'r3 finish',
    ]);
  });

  it('with on_failure stop starts nothing further and cancels what has not begun', async () => {
    const journal = await runExperiment({
      runCount: 5,
      concurrencyMax: 1,
      stopsOnFailure: true,
      onStep: (step) => (step === 'r1 train 0' ? failWith('diverged') : undefined),
    });
    expect(journal.steps.some((step) => step.startsWith('r2'))).toBe(false);
    expect(journal.cancelledQueues).toHaveLength(1);
  });
});

describe('runVariant', () => {
  it('goes on as a new workflow after a hundred steps, from the rounds that are completed then', async () => {
    let completed = 0;
    const { journal, activities } = scripted({
      plan: { roundCount: 150, evaluateEveryRounds: 1000 },
      onStep: (step) => {
        if (step.includes('train')) completed += 1;
      },
    });
    const { planRun } = activities;
    await temporal.withActivities(
      { ...activities, planRun: async (input) => ({ ...(await planRun(input)), roundsCompleted: completed }) },
      () =>
        temporal.client.workflow.execute('runVariant', {
          workflowId: randomUUID(),
          taskQueue: 'orchestrate',
          args: [{ runId: 'r', deadlineMs: null }],
        }),
    );
    const trained = journal.steps.filter((step) => step.includes('train'));
    expect(trained).toEqual(Array.from({ length: 150 }, (_, round) => `r train ${round}`));
    expect(journal.steps.at(-1)).toBe('r finish');
  });

  it('tries a class again as often as its budget says, and records every failure', async () => {
    const journal = await runExperiment({
      onStep: (step) => (step === 'r0 train 0' ? failWith('lost') : undefined),
    });
    expect(journal.steps.filter((step) => step === 'r0 train 0')).toHaveLength(3);
    expect(journal.failures.map(({ willRetry }) => willRetry)).toEqual([true, true, false]);
    expect(journal.closed).toMatchObject([
      { state: 'CRASHED', reason: expect.stringContaining('lost after 3 attempts') },
    ]);
  });

  it('is TIMED_OUT when the whole run takes too long, and stops what it is doing', async () => {
    const journal = await runExperiment({
      plan: { timeoutsMs: { round: 60_000, run: 1_000 } },
      onStep: (step) => (step === 'r0 train 0' ? untilCancelled() : undefined),
    });
    expect(journal.closed).toMatchObject([{ state: 'TIMED_OUT', reason: expect.stringContaining('timeouts.run') }]);
    expect(journal.steps).not.toContain('r0 finish');
  });

  it('ends CANCELLED when it is asked to, after its activity has stopped', async () => {
    let isRunning: () => void = () => undefined;
    const running = new Promise<void>((resolve) => (isRunning = resolve));
    const { journal, activities } = scripted({
      onStep: async (step) => {
        if (step !== 'r0 train 0') return;
        isRunning();
        await untilCancelled().catch((error: unknown) => {
          journal.steps.push('r0 stopped');
          throw error;
        });
      },
    });
    await temporal.withActivities(activities, async () => {
      const handle = await temporal.client.workflow.start('runExperiment', {
        workflowId: randomUUID(),
        taskQueue: 'orchestrate',
        args: [{ experimentId: 'e', afterPosition: -1 }],
      });
      await running;
      await handle.cancel();
      await expect(handle.result()).rejects.toThrow();
    });
    expect(journal.steps.at(-1)).toBe('r0 stopped');
    expect(journal.closed).toMatchObject([{ runId: 'r0', state: 'CANCELLED' }]);
    expect(journal.cancelledQueues).toEqual(['cancelled by request']);
  });
});

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
