import {
  CancellationScope,
  ChildWorkflowCancellationType,
  ChildWorkflowFailure,
  executeChild,
  isCancellation,
  ParentClosePolicy,
  sleep,
  TerminatedFailure,
} from '@temporalio/workflow';
import { bookkeeping } from './bookkeeping.ts';
import { runVariant, type RunVariantOutcome } from './run-variant.ts';
import type { RunEnd } from './run-window.ts';

/** How long a workflow of the run that is about to end, because its experiment's was closed by hand, is waited for. */
const TAKEN_PAUSE_MS = 2_000;

/** Has one run carried out by a workflow of its own. */
export async function followRun({
  runId,
  experimentId,
  priority,
}: {
  runId: string;
  experimentId: string;
  priority: number;
}): Promise<RunEnd> {
  try {
    const outcome: RunVariantOutcome = await executeChild(runVariant, {
      args: [{ runId, deadlineMs: null }],
      workflowId: `run/${runId}`,
      // Whoever closes the experiment's workflow by hand stops its runs where they are; the next one starts them again.
      parentClosePolicy: ParentClosePolicy.TERMINATE,
      cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
      priority: { priorityKey: priority, fairnessKey: experimentId },
    });
    return endOf(outcome);
  } catch (error) {
    return endOfError(error, runId);
  }
}

function endOf({ state }: RunVariantOutcome): RunEnd {
  if (state === 'PAUSED') return 'paused';
  return state === 'SUCCEEDED' || state === 'SKIPPED' ? 'done' : 'failed';
}

async function endOfError(error: unknown, runId: string): Promise<RunEnd> {
  if (isCancellation(error)) {
    if (CancellationScope.current().consideredCancelled) throw error;
    // Somebody cancelled this run alone.
    return 'done';
  }
  if (error instanceof ChildWorkflowFailure && error.cause instanceof TerminatedFailure) return 'lost';
  if (error instanceof Error && error.name === 'WorkflowExecutionAlreadyStartedError') {
    await sleep(TAKEN_PAUSE_MS);
    return 'lost';
  }
  // The child could not even record how it ended; its row must not say that it still runs.
  await bookkeeping.closeRun({ runId, state: 'FAILED', reason: `its workflow failed: ${String(error)}` });
  return 'failed';
}
