import type { ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import type { ListedFailure, StoredMinedSimulator } from '../../infra/postgres/failure-rows.ts';
import { FAILURE_TABLE } from './failure-columns.ts';
import { failureId } from '../../web/replay/failure-id.ts';
import { listingText } from '../table-formats/listing.ts';
import { pluralText } from '../../web/documents/quantity-text.ts';

interface Shown {
  readonly experiment: Pick<ExperimentRecord, 'id'>;
  /** At least one. */
  readonly failures: readonly ListedFailure[];
  readonly mined: readonly StoredMinedSimulator[];
}

/** The failures of an experiment for people, and what to ask next. */
export function failuresText({ experiment, failures, mined }: Shown): string {
  const [first] = failures;
  return [
    `${experiment.id}  ${pluralText(failures.length, 'failure')} on validation, the worst of each mining first`,
    listingText(FAILURE_TABLE, failures, 'table'),
    LEGEND,
    ...criticLines(failures),
    ...impossibleLines(mined),
    `One in words:  thaw failures ${failureId(first!)}\nTo watch it:   ${watchCommand(first!)}`,
  ].join('\n\n');
}

const LEGEND = [
  'score: 0 as chance, 1 as the best known policy. key moment: the step after which the value that the critic expects fell most.',
  'Failures of one round and group look alike at that moment; * stands for its group. made: simulators made from the failure;',
  'entered: how many of these entered a pool.',
].join('\n');

/** Where nobody knows when it went wrong. */
function criticLines(failures: readonly ListedFailure[]): string[] {
  if (failures.every(({ hasCritic }) => hasCritic)) return [];
  return [
    'key moment –: there is no critic, so nobody knows where it went wrong; failures are compared by their first step.',
  ];
}

/** Simulators in which nothing was looked for, because nothing can be learnt there. */
function impossibleLines(mined: readonly StoredMinedSimulator[]): string[] {
  const names = new Set(mined.filter(({ isImpossible }) => isImpossible).map(({ name }) => name));
  if (names.size === 0) return [];
  return [`Left out in some round, because the best known policy gets no more than chance: ${[...names].join(', ')}.`];
}

/** The command that shows a failure as it happened. */
export function watchCommand(failure: ListedFailure): string {
  return `thaw rollout --failure ${failureId(failure)} --render failure.svg`;
}
