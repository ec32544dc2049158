import {
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  isCancellation,
  patched,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { bookkeeping } from './bookkeeping.ts';
import { followRun } from './follow-run.ts';
import { runPages } from './run-pages.ts';
import { RunWindow } from './run-window.ts';
import { startNotices } from './tell-end.ts';

/** Runs that are asked for at once. A change of the window or the priority is seen with the next page. */
const PAGE_SIZE = 50;
/** A history of more events is slow to replay: the workflow waits for the runs in hand and goes on as a new one. */
const HISTORY_EVENTS_MAX = 10_000;

/** Tells the end by cancellation apart from those before it. */
const CANCELLED_END = -1;

export interface RunExperimentInput {
  readonly experimentId: string;
  /** Runs up to this position have been started by an earlier workflow of this chain. */
  readonly afterPosition: number;
  /** For tests; HISTORY_EVENTS_MAX where it is not given. */
  readonly historyEventsMax?: number;
}

/** Tells that runs were queued which the workflow may have gone past: it looks at all of them once more. */
export const lookAgain = defineSignal('lookAgain');

/**
 * All runs of an experiment, a window of them at a time, in order. One failed run does not stop the others. What is
 * open is said by the rows alone: the workflow asks for them page by page, and from the start when it is told to.
 */
export async function runExperiment(input: RunExperimentInput): Promise<void> {
  // Histories that began before a workflow could look again.
  if (!patched('refill')) return runPages(input);
  const { experimentId } = input;
  const window = new RunWindow(input.afterPosition);
  setHandler(lookAgain, () => window.lookAgain());
  const inHand = new Set<Promise<void>>();
  try {
    for (let ends = 0, isOpen = true; isOpen; ends += 1) {
      const startCount = await goThroughRuns(window, input, inHand);
      if (window.rest !== null) await continueAsNew<typeof runExperiment>({ ...input, afterPosition: window.rest });
      const hasWorked = startCount > 0 || (ends === 0 && input.afterPosition >= 0);
      // Histories that began before anybody was told of the end.
      if (hasWorked && patched('notices')) await startNotices(experimentId, ends);
      // Runs may have been queued again while the end was told.
      isOpen = window.next({ isDraining: false }).kind !== 'end';
    }
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(async () => {
      await Promise.allSettled(inHand);
      await bookkeeping.cancelQueued({ experimentId, reason: 'cancelled by request' });
      if (patched('notices')) await startNotices(experimentId, CANCELLED_END);
    });
    throw error;
  }
}

/**
 * Does what the window says until there is nothing more to do, or the history is full.
 * @returns how many runs were started
 */
async function goThroughRuns(
  window: RunWindow,
  { experimentId, historyEventsMax = HISTORY_EVENTS_MAX }: RunExperimentInput,
  inHand: Set<Promise<void>>,
): Promise<number> {
  let startCount = 0;
  const next = () => window.next({ isDraining: workflowInfo().historyLength > historyEventsMax });
  for (;;) {
    await condition(() => next().kind !== 'wait');
    const move = next();
    if (move.kind === 'end') return startCount;
    if (move.kind === 'cancel_queued') {
      await bookkeeping.cancelQueued({ experimentId, reason: 'stopped after a failed run (on_failure: stop)' });
      window.queuedCancelled();
    } else if (move.kind === 'page') {
      const { afterPosition, look } = move;
      const page = await bookkeeping.pageRuns({ experimentId, afterPosition, limit: PAGE_SIZE });
      window.take(page, { look, limit: PAGE_SIZE });
    } else if (move.kind === 'start') {
      const { run } = move;
      window.started(run);
      startCount += 1;
      const followed = followRun({ runId: run.id, experimentId, priority: window.priority })
        .then((end) => window.ended(run.id, end))
        .finally(() => inHand.delete(followed));
      inHand.add(followed);
    }
  }
}
