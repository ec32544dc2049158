import { setTimeout as delay } from 'node:timers/promises';
import { requeueRuns } from '../infra/postgres/run-rows.ts';
import type { FinalState } from '../schemas/records.ts';
import { ThawError } from '../schemas/errors.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { findWholeExperiment, type Target } from './find-target.ts';
import { nextSteps } from './next-steps.ts';
import { pluralText } from './quantity-text.ts';
import { countsText, FAILED_STATES, isFinished, stateCounts } from './run-counts.ts';
import { withServices, type ServiceSession } from './service-session.ts';
import { startOpenRuns } from './submission.ts';
import { print } from './terminal.ts';

/** Goes on with what was cancelled, and with what nobody looks after any more. */
export async function resumeById(id: string): Promise<ExitCode> {
  return withServices(async (session) => {
    const target = await findWholeExperiment(session.database, id);
    const count = await requeue(session, target, ['CANCELLED']);
    if (count === 0 && isFinished(target.runs)) {
      const counts = countsText(stateCounts(target.runs));
      print(`${target.experiment.id}  already complete: ${counts}${nextSteps(target.experiment.id, target.runs)}`);
      return EXIT.done;
    }
    await startOpenRuns(session, target.experiment);
    print(`${target.experiment.id}  goes on${count > 0 ? ` with ${pluralText(count, 'cancelled run')}` : ''}`);
    print(`  thaw watch ${target.experiment.id}    follow it`);
    return EXIT.done;
  });
}

/** Tries the runs again that ended without success; each goes on from its last committed round. */
export async function retryFailedById(id: string): Promise<ExitCode> {
  return withServices(async (session) => {
    const target = await findWholeExperiment(session.database, id);
    const count = await requeue(session, target, FAILED_STATES);
    if (count === 0) {
      const counts = countsText(stateCounts(target.runs));
      print(`${target.experiment.id}  nothing to retry: ${counts}${nextSteps(target.experiment.id, target.runs)}`);
      return EXIT.done;
    }
    await startOpenRuns(session, target.experiment);
    print(`${target.experiment.id}  tries ${pluralText(count, 'run')} again${stoppedText(target)}`);
    print(`  thaw watch ${target.experiment.id}    follow it`);
    return EXIT.done;
  });
}

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

/** Runs that `on_failure: stop` or a cancellation ended have not failed, so they are not tried again. */
function stoppedText({ experiment, runs }: Omit<Target, 'run'>): string {
  const count = runs.filter(({ state }) => state === 'CANCELLED').length;
  if (count === 0) return '';
  const which = `${pluralText(count, 'run')} that ${count === 1 ? 'was' : 'were'} stopped`;
  return `; ${which} ${count === 1 ? 'stays' : 'stay'} CANCELLED: \`thaw resume ${experiment.id}\` goes on with ${count === 1 ? 'it' : 'them'} once these are over`;
}
