import {
  CancellationScope,
  ChildWorkflowCancellationType,
  ChildWorkflowFailure,
  continueAsNew,
  defineSignal,
  executeChild,
  isCancellation,
  ParentClosePolicy,
  patched,
  setHandler,
  TerminatedFailure,
  workflowInfo,
} from '@temporalio/workflow';
import type { RunPage } from '../schemas/run-plan.ts';
import { bookkeeping } from './bookkeeping.ts';
import { runVariant, type RunVariantOutcome } from './run-variant.ts';

/** Runs that are asked for at once. A change of the window, or a pause, is seen with the next page at the latest. */
const PAGE_SIZE = 50;
/** A history of more events is slow to replay: the workflow waits for the runs in hand and goes on as a new one. */
const HISTORY_EVENTS_MAX = 10_000;
const FROM_THE_START = -1;

export interface RunExperimentInput {
  readonly experimentId: string;
  /** Runs up to this position have been started by an earlier workflow of this chain. */
  readonly afterPosition: number;
}

/** Tells that runs were queued which the workflow may have gone past: it looks at all of them once more. */
export const lookAgain = defineSignal('lookAgain');

/**
 * All runs of an experiment, a window of them at a time, in order. One failed run does not stop the others. What is
 * open is said by the rows alone: the workflow asks for them page by page, and from the start when it is told to.
 */
export async function runExperiment({ experimentId, afterPosition }: RunExperimentInput): Promise<void> {
  // Histories of the time before asked for one page of 200 and went on as new at its end.
  const refills = patched('refill');
  const pageSize = refills ? PAGE_SIZE : 200;
  const inHand = new Map<string, Promise<void>>();
  let position = afterPosition;
  let mustLookAgain = false;
  let isStopped = false;
  setHandler(lookAgain, () => void (mustLookAgain = true));

  const start = (runId: string, { priority, stopsOnFailure }: RunPage): void => {
    const ended = startRun({ runId, experimentId, priority }).then((outcome) => {
      inHand.delete(runId);
      if (outcome === 'failed' && stopsOnFailure) isStopped = true;
      // Its row says whether it is to be started again.
      if (outcome === 'open') mustLookAgain = true;
    });
    inHand.set(runId, ended);
  };

  try {
    let page: RunPage | null = null;
    let waiting: RunPage['runs'][number][] = [];
    let isLastPage = false;
    for (;;) {
      if (page !== null && inHand.size >= page.concurrencyMax) {
        await Promise.race(inHand.values());
        continue;
      }
      if (isStopped || (refills && workflowInfo().historyLength > HISTORY_EVENTS_MAX)) break;
      const [run, ...others] = waiting;
      if (run !== undefined && page !== null) {
        waiting = others;
        position = run.position;
        if (!inHand.has(run.id)) start(run.id, page);
      } else if (page === null || (refills && (!isLastPage || mustLookAgain))) {
        if (isLastPage) [position, mustLookAgain] = [FROM_THE_START, false];
        page = await bookkeeping.pageRuns({ experimentId, afterPosition: position, limit: pageSize });
        waiting = [...page.runs];
        isLastPage = page.runs.length < pageSize;
      } else if (refills && inHand.size > 0) {
        await Promise.race(inHand.values());
      } else break;
    }
    await Promise.all(inHand.values());
    if (isStopped) {
      await bookkeeping.cancelQueued({ experimentId, reason: 'stopped after a failed run (on_failure: stop)' });
    } else if (!isLastPage || waiting.length > 0 || (refills && mustLookAgain)) {
      await continueAsNew<typeof runExperiment>({
        experimentId,
        afterPosition: isLastPage && waiting.length === 0 ? FROM_THE_START : position,
      });
    }
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(async () => {
      await Promise.allSettled(inHand.values());
      await bookkeeping.cancelQueued({ experimentId, reason: 'cancelled by request' });
    });
    throw error;
  }
}

/** @returns `open` when the run's row, and not its workflow, says how it stands */
async function startRun({
  runId,
  experimentId,
  priority,
}: {
  runId: string;
  experimentId: string;
  priority: number;
}): Promise<'done' | 'failed' | 'open'> {
  try {
    const outcome: RunVariantOutcome = await executeChild(runVariant, {
      args: [{ runId, deadlineMs: null }],
      workflowId: `run/${runId}`,
      // Whoever closes the experiment's workflow by hand stops its runs where they are; the next one starts them again.
      parentClosePolicy: ParentClosePolicy.TERMINATE,
      cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
      priority: { priorityKey: priority, fairnessKey: experimentId },
    });
    if (outcome.state === 'PAUSED') return 'open';
    return outcome.state === 'SUCCEEDED' || outcome.state === 'SKIPPED' ? 'done' : 'failed';
  } catch (error) {
    const isOurs = CancellationScope.current().consideredCancelled;
    if (isCancellation(error)) {
      if (isOurs) throw error;
      // Somebody cancelled this run alone.
      return 'done';
    }
    if (error instanceof ChildWorkflowFailure && error.cause instanceof TerminatedFailure) return 'open';
    // The child could not even record how it ended; its row must not say that it still runs.
    await bookkeeping.closeRun({ runId, state: 'FAILED', reason: `its workflow failed: ${String(error)}` });
    return 'failed';
  }
}
