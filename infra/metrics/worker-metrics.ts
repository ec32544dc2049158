import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { RUN_STATES } from '../../schemas/records.ts';
import type { AttemptObserver } from '../../schemas/observed-attempt.ts';
import type { PoolUsage } from '../children/child-pool.ts';
import type { StateCounts } from '../postgres/state-counts.ts';
import type { QueueBacklog } from '../temporal/client.ts';
import type { QueueSlots } from '../temporal/worker.ts';
import { rememberedFor } from './remembered.ts';

/** Where a scrape asks. */
export interface MetricsSources {
  readonly usage: () => PoolUsage;
  readonly slots: () => readonly QueueSlots[];
  readonly backlogs: () => Promise<readonly QueueBacklog[]>;
  readonly runStates: () => Promise<StateCounts>;
}

export interface WorkerMetrics {
  /** Counts attempts. */
  readonly observer: AttemptObserver;
  /** All metrics of the worker in Prometheus' text format. */
  readonly text: () => Promise<string>;
}

const MIB = 2 ** 20;
/** From a bookkeeping step to a round of an hour. */
const ATTEMPT_SECONDS = [0.1, 0.3, 1, 3, 10, 30, 100, 300, 1_000, 3_600];
/** What many scrapers ask for at once is asked for once. */
const REMEMBERED_MS = 5_000;
/** A scrape does not wait for a service that is away. */
const PATIENCE_MS = 2_000;

/** The metrics of one worker. Their names and meanings are a promise: docs/guides/metrics.md lists them. */
export function createWorkerMetrics(sources: MetricsSources): WorkerMetrics {
  const registers = [new Registry()];
  collectDefaultMetrics({ register: registers[0]! });
  addUsage(registers, sources);
  addServices(registers, sources);
  return { observer: attemptCounters(registers), text: () => registers[0]!.metrics() };
}

function attemptCounters(registers: Registry[]): AttemptObserver {
  const attempts = new Counter({
    name: 'thaw_attempts_total',
    help: 'Attempts that ended on this worker, by the kind of step and how they ended.',
    labelNames: ['kind', 'outcome'] as const,
    registers,
  });
  const seconds = new Histogram({
    name: 'thaw_attempt_duration_seconds',
    help: 'How long attempts took from their start to their end.',
    labelNames: ['kind'] as const,
    buckets: ATTEMPT_SECONDS,
    registers,
  });
  const envSteps = new Counter({
    name: 'thaw_env_steps_total',
    help: 'Env steps of training that this worker has committed.',
    registers,
  });
  return {
    begun: () => undefined,
    ended({ kind }, { outcome, seconds: took, envSteps: steps }) {
      attempts.inc({ kind, outcome });
      seconds.observe({ kind }, took);
      envSteps.inc(steps);
    },
  };
}

/** What is read off this process when somebody asks. */
function addUsage(registers: Registry[], { usage, slots }: MetricsSources): void {
  const gauge = (name: string, help: string, value: () => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  };
  gauge(
    'thaw_memory_reserved_bytes',
    'Memory that the runs at work have reserved.',
    () => usage().memoryReservedMib * MIB,
  );
  gauge('thaw_memory_limit_bytes', 'Memory for all training processes together.', () => usage().memoryLimitMib * MIB);
  gauge('thaw_runs_waiting_for_memory', 'Runs that wait until their memory is free here.', () => usage().waitingCount);
  new Gauge({
    name: 'thaw_training_processes',
    help: 'Training processes of this worker: at work, or resting until their next request.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      this.set({ state: 'working' }, usage().workingCount);
      this.set({ state: 'resting' }, usage().restingCount);
    },
  });
  new Gauge({
    name: 'thaw_activity_slots',
    help: 'Activities of a task queue that this worker does at once: at most (limit), and now (used).',
    labelNames: ['queue', 'state'] as const,
    registers,
    collect() {
      for (const { queue, slots: limit, used } of slots()) {
        this.set({ queue, state: 'limit' }, limit);
        this.set({ queue, state: 'used' }, used);
      }
    },
  });
}

/** What the services say; while one is away its metrics are absent, which is counted. */
function addServices(registers: Registry[], sources: MetricsSources): void {
  const failures = new Counter({
    name: 'thaw_scrape_failures_total',
    help: 'Times that a service did not answer when its metrics were asked for.',
    labelNames: ['service'] as const,
    registers,
  });
  const absent = (service: string): null => {
    failures.inc({ service });
    return null;
  };
  const backlogs = rememberedFor(REMEMBERED_MS, PATIENCE_MS, sources.backlogs);
  const runStates = rememberedFor(REMEMBERED_MS, PATIENCE_MS, sources.runStates);
  new Gauge({
    name: 'thaw_task_queue_backlog',
    help: 'Activities that wait in a task queue for any worker, about.',
    labelNames: ['queue'] as const,
    registers,
    async collect() {
      this.reset();
      const found = await backlogs().catch(() => absent('temporal'));
      for (const { queue, count } of found ?? []) this.set({ queue }, count);
    },
  });
  new Gauge({
    name: 'thaw_runs',
    help: 'Runs of all experiments in the database, by state.',
    labelNames: ['state'] as const,
    registers,
    async collect() {
      this.reset();
      const counts = await runStates().catch(() => absent('postgres'));
      if (counts === null) return;
      for (const state of RUN_STATES) this.set({ state }, counts[state] ?? 0);
    },
  });
}
