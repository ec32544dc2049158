import { stateCounts } from '../../learning/results/state-counts.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { findWholeExperiment } from '../runs/find-target.ts';
import { listenForEnd } from '../terminal/interruption.ts';
import { nextSteps } from './next-steps.ts';
import { countsText, exitCodeFromRuns, isAtRest } from '../runs/run-counts.ts';
import { withDatabase } from '../services/service-session.ts';
import { note, print } from '../terminal/terminal.ts';
import { createProgressDisplay, SILENT, watchExperiment } from './watching.ts';

/**
 * Waits until every run of an experiment is over or paused, showing how far it is unless told to be quiet. Ctrl-C ends the
 * waiting, and the experiment goes on.
 */
export async function followExperiment(id: string, { isQuiet }: { isQuiet: boolean }): Promise<ExitCode> {
  const end = listenForEnd();
  try {
    return await withDatabase(async (database) => {
      const { experiment } = await findWholeExperiment(database, id);
      const display = isQuiet ? SILENT : await createProgressDisplay();
      try {
        const runs = await watchExperiment(database, experiment, { display, signal: end.signal });
        display.close();
        if (!isAtRest(runs)) return left(experiment.id);
        print(`${experiment.id}  ${countsText(stateCounts(runs))}${nextSteps(experiment.id, runs)}`);
        return exitCodeFromRuns(runs);
      } finally {
        display.close();
      }
    });
  } finally {
    end.dispose();
  }
}

function left(id: string): ExitCode {
  note(`Leaving; ${id} goes on.\n  thaw watch ${id}     looks at it again\n  thaw cancel ${id}    stops it`);
  return EXIT.interrupted;
}
