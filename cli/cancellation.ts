import { setTimeout as delay } from 'node:timers/promises';
import type { ExperimentRecord } from '../infra/postgres/experiment-rows.ts';
import { listRuns, requestCancellation, setRunState, type RunStatus } from '../infra/postgres/run-rows.ts';
import { isFinalState } from '../schemas/records.ts';
import type { ServiceSession } from './service-session.ts';
import { SILENT, watchExperiment } from './watching.ts';

/** A worker that is asked to stop gives its runs back within a few seconds. */
const PATIENCE_MS = 30_000;

/**
 * Ends what is not over of an experiment, gracefully: what is committed stays, and `resume` goes on from there.
 * @returns the runs, all of them over unless a worker does not answer in time
 */
export async function cancelExperiment(
  session: ServiceSession,
  experiment: ExperimentRecord,
): Promise<readonly RunStatus[]> {
  const { database, orchestrator } = session;
  await requestCancellation(database, experiment.id);
  if (!(await orchestrator.cancelExperiment(experiment))) await closeOrphans(session, experiment);
  const timeout = new AbortController();
  const finished = watchExperiment(database, experiment, { display: SILENT, signal: timeout.signal });
  const patience = delay(PATIENCE_MS, undefined, { signal: timeout.signal }).catch(() => undefined);
  await Promise.race([finished, patience]);
  timeout.abort();
  return finished;
}

/** Runs that no workflow looks after any more. Their last attempt, if it still runs somewhere, loses its authority. */
async function closeOrphans({ database }: ServiceSession, experiment: ExperimentRecord): Promise<void> {
  for (const run of await listRuns(database, experiment.id)) {
    if (!isFinalState(run.state)) await setRunState(database, run.id, 'CANCELLED', 'cancelled by request');
  }
}
