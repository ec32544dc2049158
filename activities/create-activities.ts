import { findStop } from '../infra/postgres/stop-rows.ts';
import type { StepSummary } from '../schemas/run-plan.ts';
import { adaptPool } from './adapt-pool.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { evaluatePanels } from './evaluate-panels.ts';
import { finishRun } from './finish-run.ts';
import { planNotices, recordUntold, tellEnd } from './notices.ts';
import { cancelQueued, closeRun, pageRuns, pauseRun, planRun, recordFailure } from './run-bookkeeping.ts';
import { trainRound } from './train-round.ts';

type Input<Activity> = Activity extends (dependencies: ActivityDependencies, input: infer Value) => unknown
  ? Value
  : never;

/** Everything that workflows can have done, bound to what a worker can reach. */
export function createActivities(dependencies: ActivityDependencies) {
  /**
   * A step of a run that tells its workflow what to know before the next. It may have waited for a slot for long, so it is
   * not begun when somebody has stopped the run meanwhile.
   */
  const step =
    <StepInput extends { runId: string }>(
      activity: (dependencies: ActivityDependencies, input: StepInput) => Promise<void>,
    ) =>
    async (input: StepInput): Promise<StepSummary> => {
      const before = await findStop(dependencies.database, input.runId);
      if (before.isOver || before.isPaused) return before;
      await activity(dependencies, input);
      const { isPaused } = await findStop(dependencies.database, input.runId);
      return { isPaused, isOver: false };
    };
  return {
    pageRuns: (input: Input<typeof pageRuns>) => pageRuns(dependencies, input),
    planRun: (input: Input<typeof planRun>) => planRun(dependencies, input),
    adaptPool: step(adaptPool),
    trainRound: step(trainRound),
    evaluatePanels: step(evaluatePanels),
    finishRun: step(finishRun),
    recordFailure: (input: Input<typeof recordFailure>) => recordFailure(dependencies, input),
    closeRun: (input: Input<typeof closeRun>) => closeRun(dependencies, input),
    pauseRun: (input: Input<typeof pauseRun>) => pauseRun(dependencies, input),
    planNotices: (input: Input<typeof planNotices>) => planNotices(dependencies, input),
    tellEnd: (input: Input<typeof tellEnd>) => tellEnd(dependencies, input),
    recordUntold: (input: Input<typeof recordUntold>) => recordUntold(dependencies, input),
    cancelQueued: (input: Input<typeof cancelQueued>) => cancelQueued(dependencies, input),
  };
}

export type Activities = ReturnType<typeof createActivities>;
