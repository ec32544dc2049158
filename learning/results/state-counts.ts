import { RUN_STATES, type RunState } from '../../schemas/records.ts';

export type RunCounts = Readonly<Partial<Record<RunState, number>>>;

/** How many runs are in each state, states in their usual order; states without a run are left out. */
export function stateCounts(runs: readonly { readonly state: RunState }[]): RunCounts {
  const counts = RUN_STATES.map((state) => [state, runs.filter((run) => run.state === state).length] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}
