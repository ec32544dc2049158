import {
  ActivityFailure,
  ParentClosePolicy,
  isCancellation,
  proxyActivities,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import type { NoticeSource } from '../schemas/run-plan.ts';
import { bookkeeping } from './bookkeeping.ts';

const notices = proxyActivities<Pick<Activities, 'tellEnd'>>({
  taskQueue: 'orchestrate',
  startToCloseTimeout: '1 minute',
  // A receiver may be down over night; one that is gone is not asked for ever.
  scheduleToCloseTimeout: '24 hours',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '15 minutes' },
});

export interface NoticeInput {
  readonly experimentId: string;
  readonly source: NoticeSource;
  /** Names the end of the experiment that is told. */
  readonly key: string;
}

/** Tells one receiver that an experiment is over, and writes down if it could not be told. */
export async function tellEnd(input: NoticeInput): Promise<void> {
  try {
    await notices.tellEnd(input);
  } catch (error) {
    if (isCancellation(error)) throw error;
    const cause = error instanceof ActivityFailure ? error.cause : error;
    const reason = cause instanceof Error ? cause.message : String(cause);
    await bookkeeping.recordUntold({ experimentId: input.experimentId, reason });
  }
}

/**
 * Has everybody told that an experiment is over, each by a workflow of its own: a receiver that does not answer keeps
 * nobody, and not the experiment either.
 * @param count of ends that this workflow has told before
 */
export async function startNotices(experimentId: string, count: number): Promise<void> {
  const { sources } = await bookkeeping.planNotices({ experimentId });
  const key = `${experimentId}/${workflowInfo().runId}/${count}`;
  for (const source of sources) {
    await startChild(tellEnd, {
      args: [{ experimentId, source, key }],
      workflowId: `notice/${source}/${key}`,
      parentClosePolicy: ParentClosePolicy.ABANDON,
    });
  }
}
