import { adaptPool } from './adapt-pool.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { evaluatePanels } from './evaluate-panels.ts';
import { finishRun } from './finish-run.ts';
import { cancelQueued, closeRun, pageRuns, planRun, recordFailure } from './run-bookkeeping.ts';
import { trainRound } from './train-round.ts';

type Input<Activity> = Activity extends (dependencies: ActivityDependencies, input: infer Value) => unknown
  ? Value
  : never;

/** Everything that workflows can have done, bound to what a worker can reach. */
export function createActivities(dependencies: ActivityDependencies) {
  return {
    pageRuns: (input: Input<typeof pageRuns>) => pageRuns(dependencies, input),
    planRun: (input: Input<typeof planRun>) => planRun(dependencies, input),
    adaptPool: (input: Input<typeof adaptPool>) => adaptPool(dependencies, input),
    trainRound: (input: Input<typeof trainRound>) => trainRound(dependencies, input),
    evaluatePanels: (input: Input<typeof evaluatePanels>) => evaluatePanels(dependencies, input),
    finishRun: (input: Input<typeof finishRun>) => finishRun(dependencies, input),
    recordFailure: (input: Input<typeof recordFailure>) => recordFailure(dependencies, input),
    closeRun: (input: Input<typeof closeRun>) => closeRun(dependencies, input),
    cancelQueued: (input: Input<typeof cancelQueued>) => cancelQueued(dependencies, input),
  };
}

export type Activities = ReturnType<typeof createActivities>;
