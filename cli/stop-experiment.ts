import { cancelExperiment } from './cancellation.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { findWholeExperiment } from './find-target.ts';
import { nextSteps } from './next-steps.ts';
import { countsText, isFinished, stateCounts } from './run-counts.ts';
import { withServices } from './service-session.ts';
import { print } from './terminal.ts';

/** Ends what is not over of an experiment, and tells how it ended. */
export async function cancelById(id: string): Promise<ExitCode> {
  return withServices(async (session) => {
    const { experiment, runs } = await findWholeExperiment(session.database, id);
    if (isFinished(runs)) {
      print(`${experiment.id}  nothing to cancel: ${countsText(stateCounts(runs))}`);
      return EXIT.done;
    }
    const after = await cancelExperiment(session, experiment);
    const outcome = isFinished(after)
      ? ''
      : '\nA worker has not given its run back yet; `thaw wait` tells when it has.';
    print(`${experiment.id}  ${countsText(stateCounts(after))}${outcome}${nextSteps(experiment.id, after)}`);
    return isFinished(after) ? EXIT.done : EXIT.world;
  });
}
