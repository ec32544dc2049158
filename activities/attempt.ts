import { Context } from '@temporalio/activity';
import type { RequestFailure } from '../infra/children/child-process.ts';
import {
  beginAttempt,
  endAttempt,
  type AttemptEnd,
  type AttemptSettings,
  type AttemptToken,
} from '../infra/postgres/attempt-rows.ts';
import { findRun, reportProgress } from '../infra/postgres/run-rows.ts';
import type { Member } from '../learning/strategies/contract.ts';
import { lessMemoryOf } from '../learning/trainers/less-memory.ts';
import type { AttemptKind, RunContext } from '../schemas/records.ts';
import type { MemoryReservation } from '../infra/children/child-pool.ts';
import {
  AttemptFailure,
  classOfError,
  failureFromError,
  messageOf,
  OUT_OF_TIME,
  outOfTime,
  refusalEnd,
  WORKER_STOPPED,
} from './attempt-failure.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { observeAttempt } from './observe-attempt.ts';
import { reserveMemory } from './reserve-memory.ts';
import { shrunkExecution } from './shrunk-execution.ts';
import type { SessionState } from './session-messages.ts';

/** Well inside the heartbeat timeout, and soon enough to hear of a cancellation within a second or two. */
const HEARTBEAT_INTERVAL_MS = 1_000;
const PROGRESS_INTERVAL_MS = 1_000;

/** What the process of a run can be asked. */
type RequestKind = 'train' | 'evaluate' | 'behave' | 'mine' | 'export';

/** What a computing activity may do during one attempt. */
export interface Attempt {
  readonly token: AttemptToken;
  readonly run: RunContext;
  readonly settings: AttemptSettings;
  /**
   * Has the run's process answer a request; a failure ends the attempt.
   * @param options.isRepeated of a round that was trained before: it is no progress of the run
   */
  compute<Response>(
    kind: RequestKind,
    payload: SessionState,
    options?: { readonly isRepeated: boolean },
  ): Promise<Response>;
  /** The state of the run's networks after a checkpoint, as every request to the process names it. @param members trained up to it */
  session(checkpointHash: string | null, members: readonly Member[]): SessionState;
  /** How the attempt ends when its last rows are committed; goes into the same transaction as they. */
  done(): AttemptEnd;
  /** Tells how many env steps it has trained, for whoever counts them. */
  trained(envSteps: number): void;
  /** Largest resident memory of the process so far, in MiB. */
  readonly peakRssMib: () => number;
}

/**
 * One try at a round: waits for memory, takes the run's fence, keeps the heartbeat going while the work is done elsewhere,
 * and records how it ended. A failure leaves as an ApplicationFailure whose type is its class: the workflow decides what
 * follows.
 */
export async function runAttempt<Result>(
  dependencies: ActivityDependencies,
  { runId, kind, round }: { runId: string; kind: AttemptKind; round: number },
  work: (attempt: Attempt) => Promise<Result>,
): Promise<Result> {
  const { database, worker, fingerprint, registries } = dependencies;
  const context = Context.current();
  const heartbeat = setInterval(() => context.heartbeat(), HEARTBEAT_INTERVAL_MS);
  let reservation: MemoryReservation | null = null;
  try {
    const run = await findRun(database, runId);
    const declared = shrunkExecution(run, registries);
    const begin = (settings: AttemptSettings, device = run.execution.device): Promise<AttemptToken> =>
      beginAttempt(database, { runId, kind, round, worker, fingerprint: fingerprint(device), settings });
    const request = { runId, memoryMib: declared.memoryLimitMib, signal: context.cancellationSignal };
    try {
      fingerprint(run.execution.device);
      reservation = await reserveMemory(dependencies, request);
    } catch (error) {
      if (classOfError(error) === 'request')
        await endAttempt(database, await begin(declared, 'cpu'), refusalEnd(error));
      throw error;
    }
    const settings = { ...declared, memoryLimitMib: reservation.memoryMib };
    const token = await begin(settings);
    const attempt = new RunningAttempt(dependencies, { run, settings, token, context });
    const observed = observeAttempt(dependencies, run, { kind, round, attempt: token.number });
    try {
      const result = await work(attempt);
      observed.ended(attempt.done(), attempt.trainedEnvSteps);
      return result;
    } catch (error) {
      const end = attempt.endOfError(error);
      observed.ended(end, 0);
      await endAttempt(database, token, end);
      throw attempt.isOutOfTime ? outOfTime() : error;
    } finally {
      attempt.dispose();
    }
  } catch (error) {
    throw failureFromError(error, context);
  } finally {
    clearInterval(heartbeat);
    reservation?.release();
  }
}

class RunningAttempt implements Attempt {
  readonly token: AttemptToken;
  readonly run: RunContext;
  private readonly dependencies: ActivityDependencies;
  readonly settings: AttemptSettings;
  private readonly context: Context;
  private readonly clock = new AbortController();
  private readonly timer: NodeJS.Timeout;
  /** Aborted when somebody stops the attempt, or its time is over. */
  private readonly signal: AbortSignal;
  private processId: number | null = null;
  trainedEnvSteps = 0;
  private peak = 0;
  private reportedAt = -Infinity;

  constructor(
    dependencies: ActivityDependencies,
    {
      run,
      settings,
      token,
      context,
    }: { run: RunContext; settings: AttemptSettings; token: AttemptToken; context: Context },
  ) {
    this.dependencies = dependencies;
    this.run = run;
    this.settings = settings;
    this.token = token;
    this.context = context;
    this.timer = setTimeout(() => this.clock.abort(), run.execution.timeouts_ms.round);
    this.signal = AbortSignal.any([context.cancellationSignal, this.clock.signal]);
  }

  get isOutOfTime(): boolean {
    return this.clock.signal.aborted && !this.context.cancellationSignal.aborted;
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  session(checkpointHash: string | null, members: readonly Member[]): SessionState {
    const { resolved, seed, variantHash, execution } = this.run;
    // The same in every request, or the process would make its networks anew between training and evaluations.
    const { chunkRows } = this.settings;
    return { variantHash, resolved, seed, members, checkpointHash, chunkRows, device: execution.device };
  }

  readonly peakRssMib = (): number => this.peak;

  async compute<Response>(
    kind: RequestKind,
    payload: SessionState,
    { isRepeated } = { isRepeated: false },
  ): Promise<Response> {
    const { execution, id, envSteps, resolved } = this.run;
    const outcome = await this.dependencies.children.request({
      runId: id,
      memoryMib: this.settings.memoryLimitMib,
      kind,
      payload,
      stallMs: execution.timeouts_ms.stall,
      lessMemory: lessMemoryOf(resolved.algorithm),
      signal: this.signal,
      onProgress: (value) => {
        if (kind === 'train' && !isRepeated) this.reportProgress(envSteps + value);
      },
    });
    this.peak = Math.max(this.peak, outcome.peakRssMib ?? 0);
    this.processId = outcome.processId;
    if (outcome.kind === 'failed') throw new AttemptFailure(outcome.failureClass, outcome.message, outcome);
    return outcome.result as Response;
  }

  trained(envSteps: number): void {
    this.trainedEnvSteps = envSteps;
  }

  done(): AttemptEnd {
    return this.end('done', null, null);
  }

  private end(outcome: AttemptEnd['outcome'], message: string | null, failure: RequestFailure | null): AttemptEnd {
    return {
      outcome,
      message,
      processId: failure?.processId ?? this.processId,
      exitCode: failure?.exitCode ?? null,
      signal: failure?.signal ?? null,
      logTail: failure?.logTail ?? null,
      peakRssMib: Math.max(this.peak, failure?.peakRssMib ?? 0),
    };
  }

  endOfError(error: unknown): AttemptEnd {
    if (this.isOutOfTime) return this.end('timeout', OUT_OF_TIME, null);
    if (this.context.cancellationSignal.aborted) return this.endOfStop();
    const failure = error instanceof AttemptFailure ? error.failure : null;
    return this.end(classOfError(error), messageOf(error), failure);
  }

  /** Why somebody stopped the attempt from outside. */
  private endOfStop(): AttemptEnd {
    const details = this.context.cancellationDetails;
    if (details?.cancelRequested === true) return this.end('cancelled', 'stopped by request', null);
    if (details?.timedOut === true) return this.end('timeout', 'took longer than execution.timeouts.run', null);
    return this.end('lost', details?.workerShutdown === true ? WORKER_STOPPED : 'its worker was taken for dead', null);
  }

  private reportProgress(envSteps: number): void {
    const now = this.dependencies.clock();
    if (now - this.reportedAt < PROGRESS_INTERVAL_MS) return;
    this.reportedAt = now;
    // Only a display: training does not wait for it, and a database that is away is noticed when the round commits.
    reportProgress(this.dependencies.database, { runId: this.run.id, attempt: this.token.number, envSteps }).catch(
      () => undefined,
    );
  }
}
