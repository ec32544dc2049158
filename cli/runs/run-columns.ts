import { recordFrom, type Column } from '../../learning/results/column.ts';
import type { RunStatus } from '../../infra/postgres/run-rows.ts';
import { countText, durationText } from '../../web/documents/quantity-text.ts';

/** What is told of a run beside others. */
export const RUN_COLUMNS: readonly Column<RunStatus>[] = [
  { key: 'variant', value: ({ variant }) => variant },
  { key: 'seed', align: 'right', value: ({ seed }) => seed },
  { key: 'state', value: ({ state }) => state },
  {
    key: 'rounds_completed',
    title: 'rounds',
    align: 'right',
    value: ({ roundsCompleted }) => roundsCompleted,
    text: ({ roundsCompleted, roundCount }) => `${roundsCompleted}/${roundCount}`,
  },
  {
    key: 'env_steps',
    title: 'env steps',
    align: 'right',
    value: ({ envSteps }) => envSteps,
    text: ({ envSteps }) => countText(envSteps),
  },
  {
    key: 'elapsed_s',
    title: 'time',
    align: 'right',
    value: elapsedS,
    text: (run) => durationText(elapsedS(run) ?? NaN),
  },
  { key: 'reason', value: ({ reason }) => reason ?? '' },
];

/** From the first attempt to the end; of a run that goes on, null. */
function elapsedS({ startedAt, finishedAt }: RunStatus): number | null {
  return startedAt === null || finishedAt === null ? null : (finishedAt.getTime() - startedAt.getTime()) / 1000;
}

/** A run as an object for programs. */
export function runDocument(run: RunStatus): Record<string, unknown> {
  return { id: run.id, ...recordFrom(RUN_COLUMNS, run), rounds: run.roundCount, reason: run.reason };
}
