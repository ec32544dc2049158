import { setTimeout as delay } from 'node:timers/promises';
import type { ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import { listRuns, type RunStatus } from '../../infra/postgres/run-rows.ts';
import { closeOpenRuns, requestCancellation } from '../../infra/postgres/stop-rows.ts';
import { isFinished } from '../runs/run-counts.ts';
import type { ServiceSession } from '../services/service-session.ts';
import { SILENT, watchExperiment } from '../watching/watching.ts';

/** A worker that is asked to stop gives its runs back within a few seconds. */
const PATIENCE_MS = 30_000;
/** Workflows that are closed by their own ids at once. */
const TERMINATIONS_AT_ONCE = 20;

/** What is to be stopped: an experiment, or one run of it. */
export interface Stoppable {
  readonly experiment: ExperimentRecord;
  readonly run?: Pick<RunStatus, 'id'> | undefined;
}

/**
 * Ends what is not over, gracefully: what is committed stays, and `resume` goes on from there.
 * @returns the experiment's runs; those that were asked for are over unless a worker does not answer in time
 */
export async function cancelRuns(session: ServiceSession, stoppable: Stoppable): Promise<readonly RunStatus[]> {
  const { database } = session;
  const { experiment, run } = stoppable;
  await askCancellation(session, stoppable);
  const isOver = (runs: readonly RunStatus[]): boolean =>
    isFinished(run === undefined ? runs : runs.filter(({ id }) => id === run.id));
  const timeout = new AbortController();
  const finished = watchExperiment(database, experiment, { display: SILENT, signal: timeout.signal, until: isOver });
  const patience = delay(PATIENCE_MS, undefined, { signal: timeout.signal }).catch(() => undefined);
  await Promise.race([finished, patience]);
  timeout.abort();
  return finished;
}

/** Asks for the end of what is not over, and waits for nobody. */
export async function askCancellation(
  { database, orchestrator }: ServiceSession,
  { experiment, run }: Stoppable,
): Promise<void> {
  const scope = { experimentId: experiment.id, runId: run?.id };
  await requestCancellation(database, scope);
  const isAsked = await (run === undefined ? orchestrator.cancelExperiment(experiment) : orchestrator.cancelRun(run));
  // No workflow looks after them any more. A last attempt, if it still runs somewhere, loses its authority.
  if (!isAsked) await closeOpenRuns(database, scope, 'cancelled by request');
}

/**
 * Ends what is not over at once: first its rows, so that nothing more is written, then the workflows. Training processes
 * end when their worker hears of it, within about two seconds.
 * @returns the experiment's runs, and how many were ended
 */
export async function killRuns(
  { database, orchestrator }: ServiceSession,
  { experiment, run }: Stoppable,
): Promise<{ runs: readonly RunStatus[]; killed: number }> {
  const scope = { experimentId: experiment.id, runId: run?.id };
  const before = await listRuns(database, experiment.id);
  const ended = await closeOpenRuns(database, scope, 'killed by request');
  if (run === undefined) await orchestrator.terminateExperiment(experiment);
  // The runs' workflows end with the experiment's, in a while; those that have begun are ended without waiting for that.
  const begun = before.filter(({ id, startedAt }) => ended.includes(id) && (run !== undefined || startedAt !== null));
  for (let first = 0; first < begun.length; first += TERMINATIONS_AT_ONCE) {
    const some = begun.slice(first, first + TERMINATIONS_AT_ONCE);
    await Promise.all(some.map((each) => orchestrator.terminateRun(each)));
  }
  return { runs: await listRuns(database, experiment.id), killed: ended.length };
}
