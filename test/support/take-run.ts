import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { createActivities } from '../../activities/create-activities.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { type Step, stepsFrom } from '../../workflows/round-schedule.ts';

/** Runs one activity as a worker does; nobody cancels it unless the signal says so. */
export function inActivity<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal = new AbortController().signal,
): Promise<Result> {
  const context = { heartbeat: () => undefined, cancellationSignal: signal };
  return asyncLocalStorage.run(context as unknown as Context, work);
}

/** Does what is left of a run, step by step and without a workflow. @param before is called before each step */
export async function takeRun(
  dependencies: ActivityDependencies,
  runId: string,
  before: (step: Step) => Promise<void> = async () => undefined,
): Promise<void> {
  const { planRun, ...activities } = createActivities(dependencies);
  const plan = await planRun({ runId });
  const tasks = {
    adapt_pool: activities.adaptPool,
    train_round: activities.trainRound,
    evaluate_panels: activities.evaluatePanels,
    finish_run: activities.finishRun,
  };
  for (const step of stepsFrom(plan, plan.roundsCompleted)) {
    await before(step);
    await inActivity(() => tasks[step.kind]({ runId, round: step.round }));
  }
}
