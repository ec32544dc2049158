import { endLostAttempt, shrinkRun } from '../infra/postgres/attempt-rows.ts';
import { findExecution } from '../infra/postgres/experiment-rows.ts';
import { insertExperimentEvent, insertRunEvent } from '../infra/postgres/event-rows.ts';
import { findRun, pageOpenRuns, setRunState, skipIfEqualSucceeded } from '../infra/postgres/run-rows.ts';
import { cancelWaitingRuns, findStop, pauseRun as pauseRunRow } from '../infra/postgres/stop-rows.ts';
import { isFinalState } from '../schemas/records.ts';
import type { EndState, FailureReport, RunPage, RunPlan, StepSummary } from '../schemas/run-plan.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { nextShrink } from './shrunk-execution.ts';

/** The next runs that are not final, after a position. */
export async function pageRuns(
  { database }: ActivityDependencies,
  { experimentId, afterPosition, limit }: { experimentId: string; afterPosition: number; limit: number },
): Promise<RunPage> {
  const runs = await pageOpenRuns(database, experimentId, { afterPosition, limit });
  const execution = await findExecution(database, experimentId);
  return {
    runs,
    concurrencyMax: execution.max_concurrent_runs,
    stopsOnFailure: execution.on_failure === 'stop',
    priority: execution.priority,
  };
}

/**
 * What is left to do of a run. A run whose equal has succeeded meanwhile is skipped here, and one that was to be cancelled
 * when its workflow was lost is not begun again.
 */
export async function planRun(
  { database, registries }: ActivityDependencies,
  { runId }: { runId: string },
): Promise<RunPlan> {
  const { state: before } = await findRun(database, runId);
  const isClosed =
    before === 'CANCELLING'
      ? await setRunState(database, runId, 'CANCELLED', 'cancelled by request')
      : await skipIfEqualSucceeded(database, runId);
  const { experimentId, state, isPaused, roundsCompleted, resolved, execution } = await findRun(database, runId);
  const { budget, evaluation, strategy } = resolved;
  return {
    runId,
    experimentId,
    isFinal: isClosed || isFinalState(state),
    isPaused,
    roundCount: budget.rounds,
    roundsCompleted,
    evaluateEveryRounds: evaluation.every_rounds,
    adaptRounds: Array.from({ length: budget.rounds }, (_, round) => round).filter(
      (round) => round === 0 || registries.strategies[strategy.kind]!.isDue(strategy, round),
    ),
    timeoutsMs: { round: execution.timeouts_ms.round, run: execution.timeouts_ms.run },
    retries: execution.retries,
    priority: execution.priority,
  };
}

/**
 * Writes a failed attempt into the log of its run and, when it is tried again, shows that the run is waiting. A run that
 * lacked memory is made smaller for all that follows, because the next round would lack it again. Of a run that is over
 * nothing is written: what failed was an attempt that had lost its authority.
 */
export async function recordFailure(
  { database, registries }: ActivityDependencies,
  report: FailureReport,
): Promise<StepSummary> {
  const { runId, kind, round, failureClass, message, willRetry } = report;
  const run = await findRun(database, runId);
  if (isFinalState(run.state)) return findStop(database, runId);
  const smaller = failureClass === 'out_of_memory' && willRetry ? nextShrink(run, registries) : null;
  await database.transaction(async (client) => {
    const what = `${kind} of round ${round}: ${failureClass}: ${message}`;
    await endLostAttempt(client, { runId, outcome: failureClass, message });
    if (willRetry && !(await setRunState(client, runId, 'RETRYING', what))) return;
    await insertRunEvent(client, runId, willRetry ? 'retrying' : 'failed', what);
    if (smaller !== null) await shrinkRun(client, runId, smaller);
  });
  return findStop(database, runId);
}

/** Takes a run out of the hands of its workflow until somebody resumes its experiment. */
export async function pauseRun(
  { database, children }: ActivityDependencies,
  { runId }: { runId: string },
): Promise<void> {
  if (await pauseRunRow(database, runId)) await children.release(runId);
}

/** Ends a run that did not succeed. A run that is final already stays what it is. */
export async function closeRun(
  { database, children }: ActivityDependencies,
  { runId, state, reason }: { runId: string; state: EndState; reason: string },
): Promise<void> {
  await database.transaction(async (client) => {
    if (await setRunState(client, runId, state, reason))
      await insertRunEvent(client, runId, 'closed', `${state}: ${reason}`);
  });
  await children.release(runId);
}

/** Runs that have not begun are cancelled, which leaves them resumable. */
export async function cancelQueued(
  { database }: ActivityDependencies,
  { experimentId, reason }: { experimentId: string; reason: string },
): Promise<void> {
  await database.transaction(async (client) => {
    const count = await cancelWaitingRuns(client, experimentId, reason);
    if (count > 0)
      await insertExperimentEvent(client, experimentId, 'cancelled', `${count} runs not started: ${reason}`);
  });
}
