import { batchFrom, outcomesOf, type Batch, type FileOutcome } from './batch.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { pluralText } from '../../web/documents/quantity-text.ts';
import { countsText, isAtRest } from '../runs/run-counts.ts';
import { withServices } from '../services/service-session.ts';
import { readSpecFiles } from '../specs/spec-files.ts';
import { submissionText, submitSpecs, type Submission } from './submission.ts';
import { note, print } from '../terminal/terminal.ts';
import { tellProblems } from '../specs/validate-files.ts';

export interface SubmitOptions {
  readonly overrides: readonly string[];
  readonly stopsOnFailure: boolean;
  /** All files or none. */
  readonly isAtomic: boolean;
  readonly format: 'table' | 'json';
}

/**
 * Stores and starts the experiments of files, and leaves them to the services. Every file is checked before anything
 * starts; those that are wrong are told with all that is wrong, and the others are started all the same unless they belong
 * together.
 */
export async function submitFiles(files: readonly string[], options: SubmitOptions): Promise<ExitCode> {
  const { overrides, stopsOnFailure, isAtomic, format } = options;
  const all = stopsOnFailure ? [...overrides, 'execution.on_failure="stop"'] : overrides;
  const specs = await readSpecFiles(files, all);
  const batch = batchFrom(specs);
  if (format === 'table') specs.forEach(tellProblems);
  const isStarted = batch.startable.length > 0 && !(isAtomic && batch.refused.length > 0);
  const submissions = isStarted
    ? await withServices((session) => submitSpecs(session, batch.startable, { isAtomic }))
    : null;
  const outcomes = outcomesOf(batch, submissions);
  if (format === 'json') print(jsonText(outcomes, 2));
  else tell(batch, submissions, outcomes);
  return batch.refused.length > 0 ? EXIT.request : EXIT.done;
}

function tell(batch: Batch, submissions: readonly Submission[] | null, outcomes: readonly FileOutcome[]): void {
  const [only] = submissions ?? [];
  if (only !== undefined && outcomes.length === 1) print(`${submissionText(only)}\n${nextCommands(only)}`);
  else for (const outcome of outcomes) print(outcomeText(outcome, outcomes));
  if (submissions?.some(({ runs }) => !isAtRest(runs)) === true) {
    print('The services keep running until all runs are over; `thaw down` stops them before that.');
    if (submissions.length > 1) print('  thaw list      how far they are\n  thaw status    what the services do');
  }
  if (batch.refused.length > 0) note(refusalText(batch, outcomes.length, submissions !== null));
}

/** One line a file. */
function outcomeText({ file, status, id, version, runs, problems }: FileOutcome, all: readonly FileOutcome[]): string {
  switch (status) {
    case 'refused':
      return `${file}: refused, ${pluralText(problems.length, 'problem')}`;
    case 'not_submitted':
      return `${file}: valid, not started because others were refused`;
    case 'duplicate':
      return `${file}: already queued as ${id}, from ${all.find((other) => other.id === id)!.file}`;
    case 'same':
      return `${file}: the same as before, ${id}: ${countsText(runs!)}`;
    case 'new':
      return `${file}: new, ${id}${version === 1 ? '' : ` (version ${version})`}: ${countsText(runs!)}`;
  }
}

function refusalText({ refused, startable }: Batch, fileCount: number, isStarted: boolean): string {
  const count = `${refused.length} of ${pluralText(fileCount, 'file')} ${refused.length === 1 ? 'was' : 'were'} refused`;
  if (isStarted) return `${count}; what the others hold, ${pluralText(startable.length, 'experiment')}, was submitted.`;
  return `${count}; nothing was started.`;
}

function nextCommands({ experiment: { id }, runs }: Submission): string {
  const results = `  thaw results ${id}    the table so far`;
  if (isAtRest(runs)) return results;
  return [`  thaw watch ${id}      follow it`, results, `  thaw cancel ${id}     stop it`].join('\n');
}
