import { setTimeout as delay } from 'node:timers/promises';
import { requeueRuns } from '../infra/postgres/run-rows.ts';
import type { FinalState } from '../schemas/records.ts';
import { ThawError } from '../schemas/errors.ts';
import type { Target } from './find-target.ts';
import { countsText, isFinished, stateCounts } from './run-counts.ts';
import type { ServiceSession } from './service-session.ts';

/** A workflow whose runs are all over closes within moments. */
const CLOSING_POLL_MS = 100;
const CLOSING_POLLS_MAX = 100;

/**
 * Queues final runs again. While a workflow works on the experiment, it has gone past them and would never come back, so
 * that has to end first.
 * @throws REQUEST_CONFLICT
 */
export async function requeue(
  session: ServiceSession,
  { experiment, runs }: Omit<Target, 'run'>,
  states: readonly FinalState[],
): Promise<number> {
  const hasAny = runs.some(({ state }) => (states as readonly string[]).includes(state));
  if (!hasAny) return 0;
  if (!(await isClosed(session, experiment, isFinished(runs) ? CLOSING_POLLS_MAX : 1))) {
    throw new ThawError(
      'REQUEST_CONFLICT',
      `${experiment.id} still has runs in hand: ${countsText(stateCounts(runs))}.`,
      {
        remedy: `\`thaw wait ${experiment.id}\` returns when they are over; \`thaw cancel ${experiment.id}\` ends them.`,
      },
    );
  }
  return requeueRuns(session.database, experiment.id, states);
}

async function isClosed(
  { orchestrator }: ServiceSession,
  experiment: Target['experiment'],
  pollsMax: number,
): Promise<boolean> {
  for (let poll = 1; await orchestrator.isExperimentOpen(experiment); poll += 1) {
    if (poll >= pollsMax) return false;
    await delay(CLOSING_POLL_MS);
  }
  return true;
}
