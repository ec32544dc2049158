import type { ListedFailure } from '../../infra/postgres/failure-rows.ts';
import { failureName } from '../../learning/failures/contract.ts';

const FAILURE_ID = /^(.+):([0-9]{1,9})\.([1-9][0-9]{0,8})$/;

/** The id of a failure: its run, and its name within it. */
export function failureId({ runId, round, index }: Pick<ListedFailure, 'runId' | 'round' | 'index'>): string {
  return `${runId}:${failureName(round, index)}`;
}

/** What the id of a failure says; null for a text that is none, such as the id of a run or of an experiment. */
export function parseFailureId(text: string): Pick<ListedFailure, 'runId' | 'round' | 'index'> | null {
  const [, runId, round, place] = FAILURE_ID.exec(text) ?? [];
  return runId === undefined ? null : { runId, round: Number(round), index: Number(place) - 1 };
}
