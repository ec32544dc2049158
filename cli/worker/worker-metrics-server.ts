import getPort from 'get-port';
import type { ChildPool } from '../../infra/children/child-pool.ts';
import type { Configuration } from '../../infra/configuration.ts';
import type { Logger } from '../../infra/log.ts';
import { startMetricsServer, type MetricsServer } from '../../infra/metrics/metrics-server.ts';
import { createWorkerMetrics } from '../../infra/metrics/worker-metrics.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { countStates } from '../../infra/postgres/state-counts.ts';
import type { Orchestrator } from '../../infra/temporal/client.ts';
import type { QueueSlots } from '../../infra/temporal/worker.ts';
import type { AttemptObserver } from '../../schemas/observed-attempt.ts';

const LOOPBACK = '127.0.0.1';
const SDK_PATIENCE_MS = 2_000;

/** What a worker tells of itself: its own metrics and those of the Temporal SDK under one address. */
export interface WorkerTelemetry {
  readonly observer: AttemptObserver;
  /** Where the SDK is to tell its metrics; nobody else needs to know. */
  readonly sdkAddress: string;
  /** @returns null where the port could not be had */
  serve(slots: () => readonly QueueSlots[]): Promise<MetricsServer | null>;
}

interface Sources {
  readonly children: ChildPool;
  readonly database: Database;
  readonly orchestrator: Orchestrator;
  /** Those whose backlog is told. */
  readonly queues: readonly string[];
  readonly log: Logger;
}

/** @returns null where nobody asked for metrics */
export async function createTelemetry(
  { metricsPort: port, metricsHost: host }: Pick<Configuration, 'metricsPort' | 'metricsHost'>,
  { children, database, orchestrator, queues, log }: Sources,
): Promise<WorkerTelemetry | null> {
  if (port === null) return null;
  let slotsNow: () => readonly QueueSlots[] = () => [];
  const metrics = createWorkerMetrics({
    usage: () => children.usage(),
    slots: () => slotsNow(),
    backlogs: () => orchestrator.backlogs(queues),
    runStates: () => countStates(database),
  });
  const sdkAddress = `${LOOPBACK}:${await getPort({ host: LOOPBACK, exclude: [port] })}`;
  return {
    observer: metrics.observer,
    sdkAddress,
    serve(slots) {
      slotsNow = slots;
      return startMetricsServer({ host, port, log }, async () => (await metrics.text()) + (await sdkText(sdkAddress)));
    },
  };
}

/** Empty while the SDK does not answer. */
async function sdkText(address: string): Promise<string> {
  try {
    const answer = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(SDK_PATIENCE_MS) });
    return answer.ok ? await answer.text() : '';
  } catch {
    return '';
  }
}
