import { listLoggedAttempts, type LoggedAttempt } from '../../infra/postgres/attempt-log.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { listRounds, type ListedRound } from '../../infra/postgres/round-list.ts';
import type { RunStatus } from '../../infra/postgres/run-rows.ts';
import { attemptColumns, attemptDocument } from './attempt-columns.ts';
import type { Target } from './find-target.ts';
import { listingText } from '../table-formats/listing.ts';
import { roundColumns, roundDocument } from './round-columns.ts';
import { RUN_COLUMNS, runDocument } from './run-columns.ts';

/** Rounds that are shown one by one; all of them are in the JSON. */
const ROUNDS_SHOWN = 10;

/** A run with its attempts, in the order of their numbers, and its rounds. */
export interface RunWithAttempts {
  readonly target: Target;
  readonly run: RunStatus;
  readonly attempts: readonly LoggedAttempt[];
  /** Those that were trained. */
  readonly rounds: readonly ListedRound[];
}

/** Reads what a run has gone through. @param run one of the target's */
export async function loadAttempts(database: Database, target: Target, run: RunStatus): Promise<RunWithAttempts> {
  const scope = { experimentId: target.experiment.id, runId: run.id, which: 'all' } as const;
  const attempts = await listLoggedAttempts(database, scope);
  const rounds = (await listRounds(database, run.id)).filter(({ round }) => round > 0);
  return { target, run, rounds, attempts: attempts.sort((left, right) => left.number - right.number) };
}

export function runWithAttemptsDocument({ target, run, attempts, rounds }: RunWithAttempts): Record<string, unknown> {
  const { id, resolved } = target.experiment;
  return {
    experiment: id,
    ...runDocument(run),
    attempts: attempts.map((attempt) => attemptDocument(attempt, resolved.execution)),
    trained_rounds: rounds.map(roundDocument),
  };
}

/** @param limit attempts that are shown, the newest ones */
export function runWithAttemptsText({ target, run, attempts, rounds }: RunWithAttempts, limit: number): string {
  const { execution } = target.experiment.resolved;
  const shown = attempts.slice(-limit);
  // Most attempts have nothing to tell of failures: columns without a word are left out.
  const columns = attemptColumns(execution).filter(({ value }) => shown.some((row) => (value(row) ?? '') !== ''));
  const newest = rounds.slice(-ROUNDS_SHOWN);
  return [
    listingText(RUN_COLUMNS, [run], 'table'),
    ...(newest.length === 0 ? [] : [listingText(roundColumns(newest), newest, 'table')]),
    ...(shown.length === 0 ? [] : [listingText(columns, shown, 'table')]),
  ].join('\n\n');
}
