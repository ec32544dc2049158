import { stateCounts } from '../../learning/results/state-counts.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { requeueRuns, type Requeue } from '../../infra/postgres/requeue-rows.ts';
import type { RunState } from '../../schemas/records.ts';
import { ThawError } from '../../schemas/errors.ts';
import { applyChange, type AcceptedChange } from './change-experiment.ts';
import { runsOf, type Target } from '../runs/find-target.ts';
import { countsText, FAILED_STATES, isAtRest } from '../runs/run-counts.ts';
import type { ServiceSession } from '../services/service-session.ts';
import { startOpenRuns } from '../submission/submission.ts';

/** A workflow whose runs are all at rest closes within moments. */
const CLOSING_POLL_MS = 100;
const CLOSING_POLLS_MAX = 100;

type Requeued = Awaited<ReturnType<typeof requeueRuns>>;

export interface GoingOn extends Pick<Requeue, 'endsPause' | 'states'> {
  readonly change: AcceptedChange | null;
}

/**
 * Queues runs again that no attempt works on, carried out as changed, and sees to it that a workflow takes care of all
 * that is open. One that works on others is told; one that is about to close has to do so first, because it would take
 * with it what is queued.
 * @throws REQUEST_CONFLICT
 */
export async function requeue(
  session: ServiceSession,
  target: Target,
  { states, endsPause, change }: GoingOn,
): Promise<Requeued> {
  const { experiment, runs, run } = target;
  if (runsOf(target).some(({ state }) => states.includes(state))) {
    if (isAtRest(runs)) await untilClosed(session, target);
    else refuseWhileStopping(target);
  }
  if (change !== null) await applyChange(session, experiment, change);
  const requeued = await requeueRuns(session.database, {
    experimentId: experiment.id,
    runId: run?.id,
    states,
    endsPause,
    // It ran out of memory under other limits.
    resetsShrinks: change?.changes.changesExecution ?? false,
  });
  await startOpenRuns(session, experiment);
  return requeued;
}

async function untilClosed({ orchestrator }: ServiceSession, target: Target): Promise<void> {
  for (let poll = 1; await orchestrator.isExperimentOpen(target.experiment); poll += 1) {
    if (poll >= CLOSING_POLLS_MAX) throw stillStopping(target);
    await delay(CLOSING_POLL_MS);
  }
}

/** A workflow that was cancelled, or stops after a failure, cancels at its end whatever is queued then. */
function refuseWhileStopping(target: Target): void {
  const has = (states: readonly RunState[]) => target.runs.some(({ state }) => states.includes(state));
  const stopsOnFailure = target.experiment.resolved.execution.on_failure === 'stop' && has(FAILED_STATES);
  if (has(['CANCELLING']) || stopsOnFailure) throw stillStopping(target);
}

function stillStopping({ experiment, runs }: Target): ThawError {
  return new ThawError(
    'REQUEST_CONFLICT',
    `${experiment.id} is being stopped, and has runs in hand: ${countsText(stateCounts(runs))}.`,
    {
      remedy: `\`thaw wait ${experiment.id}\` returns when they are over; \`thaw kill ${experiment.id}\` ends them at once.`,
    },
  );
}
