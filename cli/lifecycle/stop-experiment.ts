import { stateCounts } from '../../learning/results/state-counts.ts';
import { pauseExperiment } from '../../infra/postgres/stop-rows.ts';
import { cancelRuns, killRuns } from './cancellation.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { findTarget, findWholeExperiment, nameOf, runsOf, type Target } from '../runs/find-target.ts';
import { nextSteps } from '../watching/next-steps.ts';
import { pluralText } from '../../web/documents/quantity-text.ts';
import { countsText, isAtRest, isFinished } from '../runs/run-counts.ts';
import { withServices } from '../services/service-session.ts';
import { print } from '../terminal/terminal.ts';
import { SILENT, watchExperiment } from '../watching/watching.ts';

/** Ends what is not over of an experiment, or one run of it, and tells how it ended. */
export async function cancelById(id: string): Promise<ExitCode> {
  return withServices(async (session) => {
    const target = await findTarget(session.database, id);
    const name = nameOf(target);
    if (isFinished(runsOf(target))) {
      print(`${name}  nothing to cancel: ${countsText(stateCounts(runsOf(target)))}`);
      return EXIT.done;
    }
    const after = runsOf({ ...target, runs: await cancelRuns(session, target) });
    const outcome = isFinished(after)
      ? ''
      : '\nA worker has not given its run back yet; `thaw wait` tells when it has.';
    print(`${name}  ${countsText(stateCounts(after))}${outcome}${nextSteps(name, after)}`);
    return isFinished(after) ? EXIT.done : EXIT.world;
  });
}

/** Ends what is not over of an experiment, or one run of it, without waiting for anybody. */
export async function killById(id: string): Promise<ExitCode> {
  return withServices(async (session) => {
    const target = await findTarget(session.database, id);
    const name = nameOf(target);
    if (isFinished(runsOf(target))) {
      print(`${name}  nothing to kill: ${countsText(stateCounts(runsOf(target)))}`);
      return EXIT.done;
    }
    const { runs } = await killRuns(session, target);
    const after = runsOf({ ...target, runs });
    print(`${name}  ${countsText(stateCounts(after))}${nextSteps(name, after)}`);
    return EXIT.done;
  });
}

/** Pauses an experiment: nothing more is begun, and what is being computed is finished and kept. */
export async function pauseById(id: string, { waits }: { waits: boolean }): Promise<ExitCode> {
  return withServices(async ({ database }) => {
    const { experiment, runs } = await findWholeExperiment(database, id);
    if (isAtRest(runs)) {
      print(`${experiment.id}  nothing to pause: ${countsText(stateCounts(runs))}${nextSteps(experiment.id, runs)}`);
      return EXIT.done;
    }
    await pauseExperiment(database, experiment.id);
    const stop = new AbortController();
    if (!waits) stop.abort();
    const after = await watchExperiment(database, experiment, { display: SILENT, signal: stop.signal });
    print(`${experiment.id}  ${countsText(stateCounts(after))}${drainingText(after)}`);
    print(`  thaw resume ${experiment.id}    goes on with the paused runs, each from its last committed round`);
    return EXIT.done;
  });
}

function drainingText(runs: Target['runs']): string {
  const count = runs.filter((run) => !isAtRest([run])).length;
  if (count === 0) return '';
  return `\n${pluralText(count, 'run')} ${count === 1 ? 'finishes' : 'finish'} the step that is being computed, then ${count === 1 ? 'it is' : 'they are'} paused too`;
}
