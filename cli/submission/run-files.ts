import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import type { RunStatus } from '../../infra/postgres/run-rows.ts';
import { cancelRuns } from '../lifecycle/cancellation.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { listenForInterruption, type Wish } from '../terminal/interruption.ts';
import { nextSteps } from '../watching/next-steps.ts';
import { exitCodeFromRuns, isFinished } from '../runs/run-counts.ts';
import { withServices, type ServiceSession } from '../services/service-session.ts';
import { DEFAULT_METRIC, loadResults, resultsIn } from '../results/show-results.ts';
import { readStartableSpecs, submissionText, submitSpecs, type Submission } from './submission.ts';
import { note, print } from '../terminal/terminal.ts';
import { createProgressDisplay, watchExperiment } from '../watching/watching.ts';
import { writeOutputs } from './write-outputs.ts';

/** The main job: submit, watch, print the table, write the files. Everything needed is started and ended on the way. */
export async function runFiles(files: readonly string[], overrides: readonly string[]): Promise<ExitCode> {
  const specs = await readStartableSpecs(files, overrides);
  if (specs === null) return EXIT.request;
  const work = async (session: ServiceSession): Promise<ExitCode> => {
    const submissions = await submitSpecs(session, specs);
    for (const submission of submissions) note(submissionText(submission));
    return followToTheEnd(session, submissions);
  };
  return withServices(work, { endsIdle: true });
}

async function followToTheEnd(session: ServiceSession, submissions: readonly Submission[]): Promise<ExitCode> {
  const display = await createProgressDisplay();
  const ids = submissions.map(({ experiment }) => experiment.id).join(' ');
  const interruption = listenForInterruption((secondChanceMs) => {
    display.close();
    const again = secondChanceMs === null ? '' : ` Ctrl-C again within ${secondChanceMs / 1000} s cancels them.`;
    note(
      `Leaving; the runs go on.${again}\n` +
        `  thaw watch ${ids}\n  thaw cancel ${ids}\n  thaw down    # stops the services; runs go on when they are up again`,
    );
  });
  try {
    return await finishAll(session, submissions, { display, wish: interruption.wish });
  } finally {
    display.close();
    interruption.dispose();
  }
}

async function finishAll(
  session: ServiceSession,
  submissions: readonly Submission[],
  { display, wish }: { display: Awaited<ReturnType<typeof createProgressDisplay>>; wish: Promise<Wish> },
): Promise<ExitCode> {
  const codes: ExitCode[] = [];
  for (const submission of submissions) {
    const { experiment, runs } = submission;
    if (isFinished(runs) && !submission.isNew) note(`${experiment.id} is finished already; this is its table.`);
    const stopWatching = new AbortController();
    const watching = watchExperiment(session.database, experiment, { display, signal: stopWatching.signal });
    const outcome = await Promise.race([watching, wish]);
    stopWatching.abort();
    if (outcome === 'leave') return EXIT.interrupted;
    if (outcome === 'cancel') return cancelAll(session, submissions);
    display.close();
    codes.push(await present(session, submission, outcome));
  }
  return codes.find((code) => code !== EXIT.done) ?? EXIT.done;
}

async function present(
  { database, configuration }: ServiceSession,
  { experiment, outputFolder }: Submission,
  runs: readonly RunStatus[],
): Promise<ExitCode> {
  const results = await loadResults(database, experiment, { digest: true });
  print(resultsIn(results, { metric: DEFAULT_METRIC, by: ['seed', 'variant'], format: 'table' }));
  await writeOutputs(outputFolder, { database, artifacts: createFolderStore(configuration.artifacts), results });
  note(`\nTables and policies are in ${outputFolder}`);
  if (!isFinished(runs)) note(`${experiment.id} is paused.${nextSteps(experiment.id, runs)}`);
  return exitCodeFromRuns(runs);
}

async function cancelAll(session: ServiceSession, submissions: readonly Submission[]): Promise<ExitCode> {
  note('Cancelling …');
  for (const { experiment } of submissions) {
    const runs = await cancelRuns(session, { experiment });
    note(
      `${experiment.id}: ${isFinished(runs) ? 'cancelled' : 'still ending'}; \`thaw resume ${experiment.id}\` goes on`,
    );
  }
  return EXIT.runsFailed;
}
