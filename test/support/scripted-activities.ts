import type { Activities } from '../../activities/create-activities.ts';
import type { FailureReport, RunPage, RunPlan, StepSummary } from '../../schemas/run-plan.ts';

export interface Script {
  readonly experimentId?: string;
  readonly runCount?: number;
  readonly page?: Partial<Omit<RunPage, 'runs'>>;
  readonly plan?: Partial<RunPlan>;
  /** Called in every computing activity, as `r0 train 0`; it may throw or wait. */
  readonly onStep?: (step: string) => Promise<void> | void;
}

/** What the workflows had done, and the rows as the script has them. */
export interface ScriptedRows {
  /** Runs whose rows are neither final nor paused. */
  readonly open: Set<string>;
  isPaused: boolean;
  /** Computing activities, in order. */
  readonly steps: string[];
  readonly failures: FailureReport[];
  readonly closed: { runId: string; state: string; reason: string }[];
  readonly cancelledQueues: string[];
  readonly paused: string[];
  /** Most runs that workflows had in hand at once. */
  inHandMax: number;
}

/** Activities that compute nothing and write down what they were asked. */
export function scripted({ experimentId = 'e', runCount = 1, page = {}, plan = {}, onStep }: Script) {
  const runs = Array.from({ length: runCount }, (_, position) => ({ id: `${experimentId}r${position}`, position }));
  const rows: ScriptedRows = {
    open: new Set(runs.map(({ id }) => id)),
    isPaused: false,
    steps: [],
    failures: [],
    closed: [],
    cancelledQueues: [],
    paused: [],
    inHandMax: 0,
  };
  const inHand = new Set<string>();
  const leave = (runId: string, isOpen: boolean): void => {
    inHand.delete(runId);
    if (!isOpen) rows.open.delete(runId);
  };
  const summary = (): StepSummary => ({ isPaused: rows.isPaused, isOver: false });
  const compute = async (step: string): Promise<StepSummary> => {
    rows.steps.push(step);
    await onStep?.(step);
    return summary();
  };
  const activities: Activities = {
    pageRuns: async ({ afterPosition, limit }) => ({
      runs: runs.filter(({ id, position }) => rows.open.has(id) && position > afterPosition).slice(0, limit),
      concurrencyMax: 2,
      stopsOnFailure: false,
      priority: 3,
      ...page,
    }),
    planRun: async ({ runId }) => {
      const isFinal = !rows.open.has(runId);
      if (!isFinal) inHand.add(runId);
      rows.inHandMax = Math.max(rows.inHandMax, inHand.size);
      return {
        runId,
        experimentId,
        isFinal,
        isPaused: rows.isPaused,
        roundCount: 1,
        roundsCompleted: 0,
        evaluateEveryRounds: 1,
        adaptRounds: [0],
        timeoutsMs: { round: 60_000, run: 600_000 },
        retries: { error: 1, lost: 2, out_of_memory: 1, timeout: 1, stalled: 1 },
        priority: page.priority ?? 3,
        ...plan,
      };
    },
    adaptPool: ({ runId, round }) => compute(`${runId} adapt ${round}`),
    trainRound: ({ runId, round }) => compute(`${runId} train ${round}`),
    evaluatePanels: ({ runId, round }) => compute(`${runId} evaluate ${round}`),
    finishRun: async ({ runId }) => {
      const outcome = await compute(`${runId} finish`);
      leave(runId, false);
      return outcome === null ? null : { ...outcome, isPaused: false };
    },
    recordFailure: async (report) => {
      rows.failures.push(report);
      return { isPaused: rows.isPaused, isOver: !rows.open.has(report.runId) };
    },
    pauseRun: async ({ runId }) => {
      rows.paused.push(runId);
      leave(runId, !rows.isPaused);
    },
    closeRun: async (end) => {
      rows.closed.push(end);
      leave(end.runId, false);
    },
    planNotices: async () => ({ sources: [] }),
    tellEnd: async () => undefined,
    recordUntold: async () => undefined,
    cancelQueued: async ({ reason }) => void rows.cancelledQueues.push(reason),
  };
  return { rows, activities };
}
