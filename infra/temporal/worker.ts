import { readFile } from 'node:fs/promises';
import { NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import type { Logger } from '../log.ts';
import { ThawError } from '../../schemas/errors.ts';
import { ORCHESTRATE_QUEUE } from './client.ts';
import { loggedIds } from './logged-ids.ts';

/** A cancellation reaches an activity with a heartbeat, so heartbeats may not be held back for long. */
const HEARTBEAT_THROTTLE_MS = 1_000;
/** How long workflows wait for the worker that knows them by heart, which may be dead. */
const STICKY_TIMEOUT_MS = 1_000;

export interface TemporalWorkerOptions {
  readonly address: string;
  readonly namespace: string;
  /** Name of the queue → how many of its activities run at once. */
  readonly queues: Readonly<Record<string, number>>;
  /** File of the workflow bundle, made when the program was built. */
  readonly workflowBundle: string;
  readonly activities: object;
  readonly identity: string;
  /** How long running activities may go on when the worker is told to stop; then they are aborted. */
  readonly graceMs: number;
  readonly log: Logger;
  /** host:port where the SDK tells its own metrics; null for nowhere. */
  readonly metricsAddress: string | null;
}

/** How many activities of a queue run at once here, and how many may. */
export interface QueueSlots {
  readonly queue: string;
  readonly slots: number;
  readonly used: number;
}

/** A running worker: `stop` asks it to end, `finished` settles when it has. */
export interface TemporalWorker {
  readonly finished: Promise<void>;
  stop(): void;
  slots(): readonly QueueSlots[];
}

/**
 * One worker on several task queues, which share a connection.
 * @throws WORLD_TEMPORAL_UNAVAILABLE
 */
export async function startTemporalWorker(options: TemporalWorkerOptions): Promise<TemporalWorker> {
  const { address, namespace, queues, log, metricsAddress } = options;
  // What an activity or workflow fails with is in the rows; the SDK's own news are for whoever debugs the SDK.
  Runtime.install({
    logger: {
      log: (level, message, meta) => log.debug({ sdkLevel: level, ...facts(meta) }, message),
      trace: (message, meta) => log.trace(facts(meta), message),
      debug: (message, meta) => log.trace(facts(meta), message),
      info: (message, meta) => log.debug(facts(meta), message),
      warn: (message, meta) => log.info(facts(meta), message),
      error: (message, meta) => log.error(facts(meta), message),
    },
    telemetryOptions: metricsAddress === null ? {} : { metrics: sdkMetrics(metricsAddress) },
    // The program that called us decides what a signal means.
    shutdownSignals: [],
  });
  const connection = await NativeConnection.connect({ address }).catch((error: unknown) => {
    throw new ThawError('WORLD_TEMPORAL_UNAVAILABLE', `Temporal at ${address} does not answer: ${String(error)}`, {
      cause: error,
    });
  });
  const code = await readFile(options.workflowBundle, 'utf8');
  const workers = await Promise.all(
    Object.entries(queues).map(([taskQueue, slots]) =>
      Worker.create({
        connection,
        namespace,
        taskQueue,
        identity: options.identity,
        activities: options.activities,
        maxConcurrentActivityTaskExecutions: slots,
        maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE_MS,
        defaultHeartbeatThrottleInterval: HEARTBEAT_THROTTLE_MS,
        shutdownGraceTime: options.graceMs,
        ...(taskQueue === ORCHESTRATE_QUEUE && workflowOptions(code)),
      }),
    ),
  );
  return {
    finished: Promise.all(workers.map((worker) => worker.run())).then(() => connection.close()),
    slots: () =>
      Object.entries(queues).map(([queue, slots], index) => ({
        queue,
        slots,
        used: workers[index]!.getStatus().numInFlightActivities,
      })),
    stop: () => {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
    },
  };
}

/** What the SDK says, with the names that our own lines have. */
function facts(meta: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> {
  return { ...meta, ...loggedIds(meta) };
}

/** Names as Prometheus has them: units in the name, seconds, and `_total` for what only grows. */
function sdkMetrics(bindAddress: string) {
  return { prometheus: { bindAddress, countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true } };
}

function workflowOptions(code: string): Partial<WorkerOptions> {
  return { workflowBundle: { code }, stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT_MS };
}
