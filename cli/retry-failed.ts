import { EXIT, type ExitCode } from './exit-codes.ts';
import { findWholeExperiment, type Target } from './find-target.ts';
import { nextSteps } from './next-steps.ts';
import { pluralText } from './quantity-text.ts';
import { requeue } from './requeue.ts';
import { countsText, FAILED_STATES, stateCounts } from './run-counts.ts';
import { withServices } from './service-session.ts';
import { startOpenRuns } from './submission.ts';
import { print } from './terminal.ts';

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

/** Runs that `on_failure: stop` or a cancellation ended have not failed, so they are not tried again. */
function stoppedText({ experiment, runs }: Omit<Target, 'run'>): string {
  const count = runs.filter(({ state }) => state === 'CANCELLED').length;
  if (count === 0) return '';
  const which = `${pluralText(count, 'run')} that ${count === 1 ? 'was' : 'were'} stopped`;
  return `; ${which} ${count === 1 ? 'stays' : 'stay'} CANCELLED: \`thaw resume ${experiment.id}\` goes on with ${count === 1 ? 'it' : 'them'} once these are over`;
}
