import type { Database } from '../../infra/postgres/database.ts';
import { listLoggedAttempts, type LoggedAttempt } from '../../infra/postgres/attempt-log.ts';
import { ThawError } from '../../schemas/errors.ts';
import { attemptDocument } from './attempt-columns.ts';
import { attemptText } from './attempt-text.ts';
import { findTarget, type Target } from './find-target.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { timeText } from '../../web/documents/quantity-text.ts';
import { withDatabase } from '../services/service-session.ts';
import { print } from '../terminal/terminal.ts';

/** Prints one attempt of a run with all that was kept of what its process wrote. */
export async function showAttempt(id: string, number: number, format: 'text' | 'json'): Promise<void> {
  const { target, attempt } = await withDatabase(async (database) => {
    const found = await findTarget(database, id);
    return { target: found, attempt: await findAttempt(database, found, number) };
  });
  const { execution } = target.experiment.resolved;
  if (format === 'json') {
    print(jsonText(attemptDocument(attempt, execution), 2));
    return;
  }
  print(`${timeText(attempt.startedAt)}  ${attemptText(attempt, execution)}`);
  // Marked, so that nothing of it passes for a line of ours.
  for (const line of attempt.logTail?.trimEnd().split('\n') ?? []) print(`    | ${line}`);
}

async function findAttempt(
  database: Database,
  { experiment, runs, run }: Target,
  number: number,
): Promise<LoggedAttempt> {
  if (run === undefined) {
    throw new ThawError('REQUEST_BAD_ARGUMENT', `${experiment.id} is an experiment, and attempts belong to runs.`, {
      remedy: `Name a run, e.g. \`thaw logs ${runs[0]?.id ?? 'EXPERIMENT/VARIANT/SEED'} --attempt ${number}\`.`,
    });
  }
  const attempts = await listLoggedAttempts(database, { experimentId: experiment.id, runId: run.id, which: 'all' });
  const attempt = attempts.find((each) => each.number === number);
  if (attempt !== undefined) return attempt;
  throw new ThawError('REQUEST_BAD_ARGUMENT', `${run.id} has no attempt ${number}.`, {
    remedy:
      attempts.length === 0
        ? 'It has not begun yet.'
        : `Its attempts are 1 to ${Math.max(...attempts.map((each) => each.number))}; \`thaw get ${run.id}\` lists them.`,
  });
}
