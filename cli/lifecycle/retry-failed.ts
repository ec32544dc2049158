import { stateCounts } from '../../learning/results/state-counts.ts';
import { acceptedChange } from './change-experiment.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { findTarget, nameOf, runsOf, type Target } from '../runs/find-target.ts';
import { nextSteps } from '../watching/next-steps.ts';
import { pluralText } from '../../web/documents/quantity-text.ts';
import { requeue } from './requeue.ts';
import { countsText, FAILED_STATES } from '../runs/run-counts.ts';
import { withServices } from '../services/service-session.ts';
import { print } from '../terminal/terminal.ts';

/**
 * Tries the runs of an experiment again that ended without success, or one of them; each goes on from its last committed
 * round. Where `execution` is changed, a run that was made smaller begins at full size.
 */
export async function retryFailedById(id: string, overrides: readonly string[]): Promise<ExitCode> {
  return withServices(async (session) => {
    const target = await findTarget(session.database, id);
    const { experiment } = target;
    const name = nameOf(target);
    const change = await acceptedChange(session.database, experiment, { overrides, takesSeeds: false });
    if (!runsOf(target).some(({ state }) => (FAILED_STATES as readonly string[]).includes(state))) {
      const counts = countsText(stateCounts(runsOf(target)));
      print(`${name}  nothing to retry: ${counts}${nextSteps(experiment.id, runsOf(target))}`);
      return EXIT.done;
    }
    const { counts } = await requeue(session, target, { states: FAILED_STATES, endsPause: false, change });
    const count = Object.values(counts).reduce((sum, each) => sum + each, 0);
    print(`${name}  tries ${pluralText(count, 'run')} again${waitingText(target)}`);
    print(`  thaw watch ${experiment.id}    follow it`);
    return EXIT.done;
  });
}

/** Runs that were stopped have not failed, so they are not tried again; while an experiment is paused nothing is. */
function waitingText({ experiment, runs }: Target): string {
  const { id, isPaused } = experiment;
  if (isPaused) return `; ${id} is paused: \`thaw resume ${id}\` goes on with all of it`;
  const count = runs.filter(({ state }) => state === 'CANCELLED' || state === 'PAUSED').length;
  if (count === 0) return '';
  const [which, them] = count === 1 ? ['1 stopped run stays', 'it'] : [`${count} stopped runs stay`, 'them'];
  return `; ${which} as before: \`thaw resume ${id}\` goes on with ${them}`;
}
