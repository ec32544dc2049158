import { listLoggedAttempts, type LoggedAttempt } from '../infra/postgres/attempt-log.ts';
import type { Database } from '../infra/postgres/database.ts';
import type { RunStatus } from '../infra/postgres/run-rows.ts';
import { attemptColumns, attemptDocument } from './attempt-columns.ts';
import type { Target } from './find-target.ts';
import { listingText } from './listing.ts';
import { RUN_COLUMNS, runDocument } from './run-columns.ts';

/** A run with its attempts, in the order of their numbers. */
export interface RunWithAttempts {
  readonly target: Target;
  readonly run: RunStatus;
  readonly attempts: readonly LoggedAttempt[];
}

/** Reads what a run has gone through. @param run one of the target's */
export async function loadAttempts(database: Database, target: Target, run: RunStatus): Promise<RunWithAttempts> {
  const scope = { experimentId: target.experiment.id, runId: run.id, which: 'all' } as const;
  const attempts = await listLoggedAttempts(database, scope);
  return { target, run, attempts: attempts.sort((left, right) => left.number - right.number) };
}

export function runWithAttemptsDocument({ target, run, attempts }: RunWithAttempts): Record<string, unknown> {
  const { id, resolved } = target.experiment;
  return {
    experiment: id,
    ...runDocument(run),
    attempts: attempts.map((attempt) => attemptDocument(attempt, resolved.execution)),
  };
}

/** @param limit attempts that are shown, the newest ones */
export function runWithAttemptsText({ target, run, attempts }: RunWithAttempts, limit: number): string {
  const { execution } = target.experiment.resolved;
  const head = listingText(RUN_COLUMNS, [run], 'table');
  const shown = attempts.slice(-limit);
  if (shown.length === 0) return head;
  // Most attempts have nothing to tell of failures: columns without a word are left out.
  const columns = attemptColumns(execution).filter(({ value }) => shown.some((row) => (value(row) ?? '') !== ''));
  return `${head}\n\n${listingText(columns, shown, 'table')}`;
}
