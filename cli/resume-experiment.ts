import { EXIT, type ExitCode } from './exit-codes.ts';
import { findWholeExperiment } from './find-target.ts';
import { nextSteps } from './next-steps.ts';
import { pluralText } from './quantity-text.ts';
import { requeue } from './requeue.ts';
import { countsText, isFinished, stateCounts } from './run-counts.ts';
import { withServices } from './service-session.ts';
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
