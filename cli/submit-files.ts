import { EXIT, type ExitCode } from './exit-codes.ts';
import { isFinished } from './run-counts.ts';
import { withServices } from './service-session.ts';
import { readStartableSpecs, submissionText, submitSpecs, type Submission } from './submission.ts';
import { print } from './terminal.ts';

/** Stores and starts the experiments of files, and leaves them to the services. */
export async function submitFiles(
  files: readonly string[],
  { overrides, stopsOnFailure }: { overrides: readonly string[]; stopsOnFailure: boolean },
): Promise<ExitCode> {
  const all = stopsOnFailure ? [...overrides, 'execution.on_failure="stop"'] : overrides;
  const specs = await readStartableSpecs(files, all);
  if (specs === null) return EXIT.request;
  await withServices(async (session) => {
    const submissions = await submitSpecs(session, specs);
    for (const submission of submissions) print(`${submissionText(submission)}\n${nextCommands(submission)}`);
    if (submissions.some(({ runs }) => !isFinished(runs))) {
      print('The services keep running until all runs are over; `thaw down` stops them before that.');
    }
  });
  return EXIT.done;
}

function nextCommands({ experiment: { id }, runs }: Submission): string {
  const results = `  thaw results ${id}    the table so far`;
  if (isFinished(runs)) return results;
  return [`  thaw watch ${id}      follow it`, results, `  thaw cancel ${id}     stop it`].join('\n');
}
