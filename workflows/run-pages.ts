import {
  CancellationScope,
  ChildWorkflowCancellationType,
  continueAsNew,
  executeChild,
  isCancellation,
  ParentClosePolicy,
} from '@temporalio/workflow';
import { bookkeeping } from './bookkeeping.ts';
import { runVariant, type RunVariantOutcome } from './run-variant.ts';

/** Runs of one workflow before it goes on as a new one: the history stays far below its limits. */
const PAGE_SIZE = 200;

interface PagesInput {
  readonly experimentId: string;
  readonly afterPosition: number;
}

/**
 * What `runExperiment` did before it could look again: only histories of that time come here, and nothing in it may change.
 * It can go when no such workflow is open anywhere.
 */
export async function runPages(input: PagesInput): Promise<void> {
  const { experimentId, afterPosition } = input;
  try {
    const page = await bookkeeping.pageRuns({ experimentId, afterPosition, limit: PAGE_SIZE });
    const waiting = [...page.runs];
    let isStopped = false;
    const worker = async (): Promise<void> => {
      for (let run = waiting.shift(); run !== undefined && !isStopped; run = waiting.shift()) {
        const succeeded = await startRun(run.id, page.priority);
        if (!succeeded && page.stopsOnFailure) isStopped = true;
      }
    };
    await Promise.all(Array.from({ length: page.concurrencyMax }, worker));
    if (isStopped)
      await bookkeeping.cancelQueued({ experimentId, reason: 'stopped after a failed run (on_failure: stop)' });
    else if (page.runs.length === PAGE_SIZE) {
      await continueAsNew<typeof runPages>({ ...input, afterPosition: page.runs.at(-1)!.position });
    }
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() =>
      bookkeeping.cancelQueued({ experimentId, reason: 'cancelled by request' }),
    );
    throw error;
  }
}

/** @returns whether the run has a result */
async function startRun(runId: string, priority: number): Promise<boolean> {
  try {
    const outcome: RunVariantOutcome = await executeChild(runVariant, {
      args: [{ runId, deadlineMs: null }],
      workflowId: `run/${runId}`,
      parentClosePolicy: ParentClosePolicy.TERMINATE,
      cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
      priority: { priorityKey: priority },
    });
    return outcome.state === 'SUCCEEDED' || outcome.state === 'SKIPPED';
  } catch (error) {
    if (isCancellation(error)) throw error;
    // The child could not even record how it ended; its row must not say that it still runs.
    await bookkeeping.closeRun({ runId, state: 'FAILED', reason: `its workflow failed: ${String(error)}` });
    return false;
  }
}
