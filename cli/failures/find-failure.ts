import type { Database } from '../../infra/postgres/database.ts';
import type { ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import {
  type ListedFailure,
  listFailures,
  listWholeFailures,
  type StoredFailure,
} from '../../infra/postgres/failure-rows.ts';
import { failureName } from '../../learning/failures/contract.ts';
import { ThawError } from '../../schemas/errors.ts';
import { parseFailureId } from '../../web/replay/failure-id.ts';
import { findTarget } from '../runs/find-target.ts';

/** A failure with the experiment that it was found in. */
export interface FoundFailure {
  readonly experiment: ExperimentRecord;
  readonly failure: StoredFailure;
  /** Every failure of the same mining, this one included: the worst first. */
  readonly mining: readonly ListedFailure[];
}

/**
 * Finds a failure by its id; of the experiment in it, a unique prefix will do, and `@latest`.
 * @throws REQUEST_UNKNOWN_ID saying what there is
 */
export async function findFailure(database: Database, text: string): Promise<FoundFailure> {
  const named = parseFailureId(text);
  if (named === null) throw unknownFailure(`"${text}" is not the id of a failure.`);
  const { experiment, run } = await findTarget(database, named.runId);
  if (run === undefined) throw unknownFailure(`"${text}" names no run: "${named.runId}" is an experiment.`);
  const own = { experimentId: experiment.id, runId: run.id };
  const mining = await listFailures(database, { ...own, round: named.round });
  const [failure] = await listWholeFailures(database, { ...named, ...own });
  if (failure !== undefined) return { experiment, failure, mining };
  const there = thereIs(await listFailures(database, own), mining);
  throw unknownFailure(`${run.id} has no failure ${failureName(named.round, named.index)}. ${there}`);
}

function thereIs(own: readonly ListedFailure[], mining: readonly ListedFailure[]): string {
  const [first] = mining;
  if (first !== undefined) {
    return `Mined after ${first.round} rounds: ${failureName(first.round, 0)} to ${failureName(first.round, mining.length - 1)}.`;
  }
  const rounds = [...new Set(own.map((failure) => failure.round))];
  return rounds.length === 0 ? 'It has none.' : `It has some of the rounds ${rounds.join(', ')}.`;
}

function unknownFailure(message: string): ThawError {
  return new ThawError('REQUEST_UNKNOWN_ID', message, {
    remedy: 'A failure is named EXPERIMENT/VARIANT/SEED:ROUND.K; `thaw failures EXPERIMENT` lists them.',
  });
}
