import { hostname, availableParallelism } from 'node:os';
import path from 'node:path';
import { createActivities } from '../../activities/create-activities.ts';
import { keepMirrors } from '../../activities/mirrors/keep-mirrors.ts';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import { createChildPool } from '../../infra/children/child-pool.ts';
import { memoryBudget } from '../../infra/children/memory-budget.ts';
import { memoryEnforcement } from '../../infra/children/memory-enforcement.ts';
import { releaseResting } from '../../infra/children/release-resting.ts';
import type { Configuration } from '../../infra/configuration.ts';
import { machineFingerprint } from '../../infra/fingerprint.ts';
import { buildFolder } from '../../infra/installation.ts';
import { createLog, type Logger } from '../../infra/log.ts';
import { logAttempts, observeAll } from '../../infra/log-attempts.ts';
import { createDatabase, type Database } from '../../infra/postgres/database.ts';
import { connectOrchestrator, type Orchestrator } from '../../infra/temporal/client.ts';
import { reconcile } from '../../infra/temporal/reconcile.ts';
import { startTemporalWorker } from '../../infra/temporal/worker.ts';
import { mlflowAuthorization } from '../../infra/trackers/mlflow-credentials.ts';
import { ThawError } from '../../schemas/errors.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { programVersion } from '../program-version.ts';
import { createTelemetry } from './worker-metrics-server.ts';

/** A training process that has had nothing to do for so long ends; the run goes on from its checkpoint later. */
const CHILD_IDLE_MS = 60_000;
const RECONCILE_INTERVAL_MS = 15_000;
const ORCHESTRATE_SLOTS = 20;
/** Of telling trackers: how long one request may take, and after how long without a word another worker takes over. */
const MIRRORS = { requestTimeoutMs: 10_000, leaseS: 20 };

/** Task queues of a worker. The computing ones take as many activities at once as there are processors. */
export const WORKER_QUEUES = ['orchestrate', 'train-cpu', 'evaluate'] as const;
export type WorkerQueue = (typeof WORKER_QUEUES)[number];

export interface WorkerSettings {
  /** Those it serves. */
  readonly queues: readonly WorkerQueue[];
  /** How long rounds may go on when it is told to stop; what is not over by then goes on at another worker. */
  readonly graceMs: number;
}

/** Runs a worker until it is told to stop. */
export async function runWorker(configuration: Configuration, { queues, graceMs }: WorkerSettings): Promise<void> {
  const { databaseUrl, temporalAddress, temporalNamespace: namespace } = configuration;
  if (databaseUrl === null || temporalAddress === null) {
    throw new ThawError('REQUEST_BAD_ARGUMENT', 'A worker needs THAW_DATABASE_URL and THAW_TEMPORAL_ADDRESS.', {
      remedy:
        '`thaw up` starts services with a worker of their own; `thaw status --addresses` prints the command line of a further one.',
    });
  }
  const log = createLog({ level: configuration.logLevel, name: 'worker' });
  const database = createDatabase(databaseUrl);
  const budget = memoryBudget(configuration.workerMemoryMib);
  const { groups, description: limits } = memoryEnforcement(configuration.controlGroup);
  const unownedMax = availableParallelism();
  const entry = path.join(buildFolder(), 'cli/training-child.js');
  const children = createChildPool(entry, CHILD_IDLE_MS, { budget, groups, unownedMax });
  const orchestrator = await connectOrchestrator(temporalAddress, namespace);
  const sources = { children, database, orchestrator, queues: WORKER_QUEUES, log };
  const telemetry = await createTelemetry(configuration, sources);
  const identity = `${hostname()}:${process.pid}`;
  const worker = await startTemporalWorker({
    address: temporalAddress,
    namespace,
    queues: Object.fromEntries(queues.map((queue) => [queue, slotsOf(queue)])),
    workflowBundle: path.join(buildFolder(), 'workflows/bundle.js'),
    activities: createActivities({
      database,
      artifacts: createFolderStore(configuration.artifacts),
      children,
      registries: DEFAULT_REGISTRIES,
      worker: identity,
      fingerprint: machineFingerprint,
      programVersion: programVersion(),
      webhook: { url: configuration.webhookUrl, secret: configuration.webhookSecret },
      observer: observeAll([logAttempts(log), ...(telemetry === null ? [] : [telemetry.observer])]),
      clock: () => performance.now(),
    }),
    identity,
    graceMs,
    log,
    metricsAddress: telemetry?.sdkAddress ?? null,
  });
  const metricsServer = await telemetry?.serve(() => worker.slots());
  const stop = (): void => {
    children.drain();
    worker.stop();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
  const timer = queues.includes('orchestrate') ? startReconciler(database, orchestrator, log) : undefined;
  const authorization = mlflowAuthorization(configuration);
  const stopMirrors = queues.includes('orchestrate')
    ? keepMirrors({ database, worker: identity, authorization, ...MIRRORS }, log)
    : null;
  const stopReleasing = releaseResting(database, children, log);
  log.info({ queues, identity, memoryMib: budget.limitMib, limits }, 'the worker is ready');
  try {
    await worker.finished;
  } finally {
    clearInterval(timer);
    stopReleasing();
    await stopMirrors?.();
    await metricsServer?.close();
    await children.close();
    await orchestrator.close();
    await database.close();
  }
}

function slotsOf(queue: WorkerQueue): number {
  return queue === 'orchestrate' ? ORCHESTRATE_SLOTS : availableParallelism();
}

/** Compares open runs with their workflows now and from time to time. */
function startReconciler(database: Database, orchestrator: Orchestrator, log: Logger): NodeJS.Timeout {
  let isComparing = false;
  const once = async (): Promise<void> => {
    if (isComparing) return;
    isComparing = true;
    try {
      const restarted = await reconcile(database, orchestrator);
      for (const experiment of restarted) log.warn({ experiment }, 'its workflow was lost and is started again');
    } catch (error) {
      log.warn({ err: error }, 'could not compare runs with their workflows');
    } finally {
      isComparing = false;
    }
  };
  void once();
  return setInterval(() => void once(), RECONCILE_INTERVAL_MS);
}
