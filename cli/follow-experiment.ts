import { stateCounts } from '../learning/results/state-counts.ts';
import type { ExitCode } from './exit-codes.ts';
import { findWholeExperiment } from './find-target.ts';
import { nextSteps } from './next-steps.ts';
import { countsText, exitCodeFromRuns } from './run-counts.ts';
import { withDatabase } from './service-session.ts';
import { print } from './terminal.ts';
import { createProgressDisplay, SILENT, watchExperiment } from './watching.ts';

/** Waits until every run of an experiment is over or paused, showing how far it is unless told to be quiet. */
export async function followExperiment(id: string, { isQuiet }: { isQuiet: boolean }): Promise<ExitCode> {
  return withDatabase(async (database) => {
    const { experiment } = await findWholeExperiment(database, id);
    const display = isQuiet ? SILENT : await createProgressDisplay();
    try {
      const runs = await watchExperiment(database, experiment, { display });
      display.close();
      print(`${experiment.id}  ${countsText(stateCounts(runs))}${nextSteps(experiment.id, runs)}`);
      return exitCodeFromRuns(runs);
    } finally {
      display.close();
    }
  });
}
