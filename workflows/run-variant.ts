import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  continueAsNew,
  isCancellation,
  proxyActivities,
  sleep,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.ts';
import type { AttemptKind, FailureClass } from '../schemas/records.ts';
import type { EndState, RunPlan, StepSummary } from '../schemas/run-plan.ts';
import { bookkeeping } from './bookkeeping.ts';
import { decideRetry } from './retry-decision.ts';
import { stepsFrom, type Step } from './round-schedule.ts';

/** A history must stay short: after so many steps the workflow goes on as a new one. */
const STEPS_PER_WORKFLOW = 100;
/** A dead worker is noticed after this long without a heartbeat. */
const HEARTBEAT_TIMEOUT_MS = 10_000;

const QUEUE: Readonly<Record<AttemptKind, string>> = {
  adapt_pool: 'evaluate',
  train_round: 'train-cpu',
  evaluate_panels: 'evaluate',
  finish_run: 'evaluate',
};

export interface RunVariantInput {
  readonly runId: string;
  /** When `execution.timeouts.run` is over, in milliseconds since the epoch; null at the start of the run. */
  readonly deadlineMs: number | null;
}

export interface RunVariantOutcome {
  readonly runId: string;
  readonly state: 'SUCCEEDED' | 'SKIPPED' | 'PAUSED' | EndState;
}

/** One run: round after round until it is finished, tried again by class when an attempt fails. */
export async function runVariant(input: RunVariantInput): Promise<RunVariantOutcome> {
  const { runId } = input;
  try {
    const plan = await bookkeeping.planRun({ runId });
    if (plan.isFinal) return { runId, state: 'SKIPPED' };
    if (plan.isPaused) return await paused(runId);
    const startedMs = workflowInfo().startTime.getTime();
    const deadlineMs = input.deadlineMs ?? startedMs + plan.timeoutsMs.run;
    const steps = stepsFrom(plan, plan.roundsCompleted);
    const end = await runWithin(deadlineMs - startedMs, plan, steps.slice(0, STEPS_PER_WORKFLOW));
    if (end === 'over') return { runId, state: 'SKIPPED' };
    if (end === 'paused') return await paused(runId);
    if (end !== null) return await closed(runId, end.state, end.reason);
    if (steps.length > STEPS_PER_WORKFLOW) await continueAsNew<typeof runVariant>({ runId, deadlineMs });
    return { runId, state: 'SUCCEEDED' };
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => closed(runId, 'CANCELLED', 'cancelled by request'));
    throw error;
  }
}

interface End {
  readonly state: EndState;
  readonly reason: string;
}

/**
 * How the steps of a workflow ended before the last of them was done; null when all were. `over`: somebody else has closed
 * the run.
 */
type Outcome = End | 'paused' | 'over' | null;

async function runWithin(timeoutMs: number, plan: RunPlan, steps: readonly Step[]): Promise<Outcome> {
  const outer = CancellationScope.current();
  const scope = new CancellationScope({ cancellable: true, timeout: Math.max(1, timeoutMs) });
  try {
    return await scope.run(async () => {
      for (const step of steps) {
        const end = await runStep(plan, step);
        if (end !== null) return end;
      }
      return null;
    });
  } catch (error) {
    // What cancelled the steps was the clock unless somebody asked for it.
    if (!isCancellation(error) || outer.consideredCancelled) throw error;
    return { state: 'TIMED_OUT', reason: 'the run took longer than execution.timeouts.run' };
  }
}

/** One step until it is done or its budget of retries is exhausted; a pause is taken note of at the end of an attempt. */
async function runStep(plan: RunPlan, step: Step): Promise<Outcome> {
  const { runId } = plan;
  const failures: FailureClass[] = [];
  for (;;) {
    try {
      return stopFrom(await callActivity(plan, step));
    } catch (error) {
      if (isCancellation(error)) throw error;
      const { failureClass, message } = failureFrom(error);
      failures.push(failureClass);
      const decision = decideRetry(failures, plan.retries);
      const willRetry = decision.kind === 'retry';
      const stop = stopFrom(await bookkeeping.recordFailure({ runId, ...step, failureClass, message, willRetry }));
      if (stop === 'over') return stop;
      if (!willRetry) return { state: decision.state, reason: `${decision.reason}: ${message}` };
      if (stop === 'paused') return stop;
      if (decision.delayMs > 0) await sleep(decision.delayMs);
    }
  }
}

function stopFrom(summary: StepSummary): 'paused' | 'over' | null {
  if (summary?.isOver === true) return 'over';
  return summary?.isPaused === true ? 'paused' : null;
}

function callActivity(
  { runId, experimentId, timeoutsMs, priority }: RunPlan,
  { kind, round }: Step,
): Promise<StepSummary> {
  const { adaptPool, trainRound, evaluatePanels, finishRun } = proxyActivities<Activities>({
    taskQueue: QUEUE[kind],
    // The activity itself ends an attempt after `execution.timeouts.round`, which does not count the wait for memory.
    startToCloseTimeout: timeoutsMs.run,
    heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
    // Whether to try again is decided here, by class, and not by Temporal.
    retry: { maximumAttempts: 1 },
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    priority: { priorityKey: priority, fairnessKey: experimentId },
  });
  switch (kind) {
    case 'adapt_pool':
      return adaptPool({ runId, round });
    case 'train_round':
      return trainRound({ runId, round });
    case 'evaluate_panels':
      return evaluatePanels({ runId, round });
    case 'finish_run':
      return finishRun({ runId });
  }
}

/** The class of a failed activity: its own word for it, or what Temporal had to say when nobody answered. */
function failureFrom(error: unknown): { failureClass: FailureClass; message: string } {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof ApplicationFailure) return { failureClass: classFromType(cause.type), message: cause.message };
  if (cause instanceof TimeoutFailure) {
    return cause.timeoutType === 'START_TO_CLOSE'
      ? { failureClass: 'timeout', message: 'took longer than execution.timeouts.run' }
      : { failureClass: 'lost', message: 'its worker stopped answering' };
  }
  return { failureClass: 'error', message: cause instanceof Error ? cause.message : String(cause) };
}

const CLASSES: Readonly<Record<FailureClass, true>> = {
  error: true,
  lost: true,
  out_of_memory: true,
  timeout: true,
  stalled: true,
  diverged: true,
  request: true,
};

/** A type we did not set ourselves is a defect on the way, which counts as an error. */
function classFromType(type: string | undefined | null): FailureClass {
  return type !== undefined && type !== null && type in CLASSES ? (type as FailureClass) : 'error';
}

async function paused(runId: string): Promise<RunVariantOutcome> {
  await bookkeeping.pauseRun({ runId });
  return { runId, state: 'PAUSED' };
}

async function closed(runId: string, state: EndState, reason: string): Promise<RunVariantOutcome> {
  await bookkeeping.closeRun({ runId, state, reason });
  return { runId, state };
}
