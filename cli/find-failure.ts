import type { Database } from '../infra/postgres/database.ts';
import type { ExperimentRecord } from '../infra/postgres/experiment-rows.ts';
import {
  type ListedFailure,
  listFailures,
  listWholeFailures,
  type StoredFailure,
} from '../infra/postgres/failure-rows.ts';
import { failureName } from '../learning/failures/contract.ts';
import { ThawError } from '../schemas/errors.ts';
import { findTarget } from './find-target.ts';

const FAILURE_ID = /^(.+):([0-9]{1,9})\.([1-9][0-9]{0,8})$/;

/** A failure with the experiment that it was found in. */
export interface FoundFailure {
  readonly experiment: ExperimentRecord;
  readonly failure: StoredFailure;
  /** Every failure of the same mining, this one included: the worst first. */
  readonly mining: readonly ListedFailure[];
}

/** The id of a failure: its run, and its name within it. */
export function failureId({ runId, round, index }: Pick<ListedFailure, 'runId' | 'round' | 'index'>): string {
  return `${runId}:${failureName(round, index)}`;
}

/** Whether a text is the id of a failure, and not that of a run or an experiment. */
export function isFailureId(text: string): boolean {
  return FAILURE_ID.test(text);
}

/**
 * Finds a failure by its id; of the experiment in it, a unique prefix will do, and `@latest`.
 * @throws REQUEST_UNKNOWN_ID saying what there is
 */
export async function findFailure(database: Database, text: string): Promise<FoundFailure> {
  const [, target = '', round = '', place = ''] = FAILURE_ID.exec(text) ?? [];
  if (target === '') throw unknownFailure(`"${text}" is not the id of a failure.`);
  const { experiment, run } = await findTarget(database, target);
  if (run === undefined) throw unknownFailure(`"${text}" names no run: "${target}" is an experiment.`);
  const own = { experimentId: experiment.id, runId: run.id };
  const mined = { ...own, round: Number(round) };
  const mining = await listFailures(database, mined);
  const [failure] = await listWholeFailures(database, { ...mined, index: Number(place) - 1 });
  if (failure !== undefined) return { experiment, failure, mining };
  const there = thereIs(await listFailures(database, own), mining);
  throw unknownFailure(`${run.id} has no failure ${round}.${place}. ${there}`);
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
