import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { benchSpec } from '../../cli/bench/spec.ts';
import type { ServiceSession } from '../../cli/services/service-session.ts';
import { submitSpecs } from '../../cli/submission/submission.ts';
import { workerEnvironment } from '../../cli/worker/worker-command.ts';
import { readConfiguration } from '../../infra/configuration.ts';
import { buildFolder } from '../../infra/installation.ts';
import { deterministicDigest } from '../../infra/postgres/deterministic-digest.ts';
import { listRuns, type RunStatus } from '../../infra/postgres/run-rows.ts';
import { connectOrchestrator } from '../../infra/temporal/client.ts';
import { isFinalState } from '../../schemas/records.ts';
import type { TestPostgres } from './postgres.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
import type { TestTemporal } from './temporal.ts';

const POLL_MS = 50;

/** An attempt as its row tells of it. */
export interface AttemptRow {
  readonly runId: string;
  readonly number: number;
  readonly workerPid: number;
  readonly outcome: string | null;
  /** Whether it trains right now and has shown progress. */
  readonly isUnderWay: boolean;
}

/** A worker as a process of its own, which reaches its services through wires of the scene. */
export interface SceneWorker {
  readonly process: ChildProcess;
  /** Its log so far. */
  readonly log: () => string;
}

/** One experiment with a database, a namespace and artifacts of its own, on servers that scenes share. */
export class OutageScene {
  readonly temporalWire: TcpProxy;
  readonly postgresWire: TcpProxy;
  readonly session: ServiceSession;
  readonly experimentId: string;
  private readonly home: string;
  private readonly workers: SceneWorker[] = [];
  private readonly client: Client;
  private readonly databaseUrl: string;

  private constructor(parts: {
    temporalWire: TcpProxy;
    postgresWire: TcpProxy;
    session: ServiceSession;
    experimentId: string;
    client: Client;
    databaseUrl: string;
  }) {
    this.temporalWire = parts.temporalWire;
    this.postgresWire = parts.postgresWire;
    this.session = parts.session;
    this.experimentId = parts.experimentId;
    this.client = parts.client;
    this.databaseUrl = parts.databaseUrl;
    this.home = parts.session.configuration.home;
  }

  /** @param overrides of `experiments/chaos.json`, as after `--set` */
  static async open(
    { postgres, temporal }: { postgres: TestPostgres; temporal: TestTemporal },
    namespace: string,
    overrides: readonly string[],
  ): Promise<OutageScene> {
    await makeNamespace(temporal, namespace);
    const { database, url } = await postgres.createDatabase();
    const home = mkdtempSync(path.join(tmpdir(), 'thaw-outage-'));
    const configuration = readConfiguration({ THAW_HOME: home, THAW_TEMPORAL_NAMESPACE: namespace });
    const orchestrator = await connectOrchestrator(temporal.address, namespace);
    const session = { configuration, database, orchestrator };
    const [submission] = await submitSpecs(session, [await benchSpec('chaos', overrides)]);
    return new OutageScene({
      temporalWire: await startTcpProxy({ port: Number(temporal.address.split(':').at(-1)) }),
      postgresWire: await startTcpProxy({ port: Number(new URL(url).port) }),
      session,
      experimentId: submission!.experiment.id,
      client: new Client({ connection: temporal.client.connection, namespace }),
      databaseUrl: url,
    });
  }

  /** @param args of `thaw worker` */
  startWorker(args: readonly string[] = []): SceneWorker {
    const url = new URL(this.databaseUrl);
    url.port = String(this.postgresWire.port);
    const { PATH = '', HOME = '' } = process.env;
    const env = {
      PATH,
      HOME,
      THAW_HOME: this.home,
      THAW_LOG_LEVEL: 'debug',
      ...workerEnvironment(this.session.configuration, {
        databaseUrl: url.href,
        temporalAddress: this.temporalWire.address,
      }),
    };
    const main = path.join(buildFolder(), 'cli/main.js');
    const child = spawn(process.execPath, [main, 'worker', ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
    const worker = { process: child, log: () => log };
    this.workers.push(worker);
    return worker;
  }

  /** The attempt that trains, once there is one that has shown progress. */
  async untilUnderWay(): Promise<AttemptRow> {
    return this.until(async () => (await this.attempts()).findLast(({ isUnderWay }) => isUnderWay));
  }

  async attempts(): Promise<AttemptRow[]> {
    const { rows } = await this.session.database.query(
      `select a.run_id, a.number, a.worker, a.outcome,
              a.ended_at is null and a.kind = 'train_round' and r.progress_env_steps > r.env_steps as is_under_way
         from attempts a join runs r on r.id = a.run_id order by a.started_at`,
    );
    return rows.map((row) => ({
      runId: row['run_id'] as string,
      number: row['number'] as number,
      workerPid: Number((row['worker'] as string).split(':').at(-1)),
      outcome: row['outcome'] as string | null,
      isUnderWay: row['is_under_way'] === true,
    }));
  }

  /** What the workflow of a run did. */
  history(runId: string) {
    return this.client.workflow.getHandle(`run/${runId}`).fetchHistory();
  }

  /** Waits until Temporal has missed the heartbeat of an activity of a run. */
  async untilTimedOut(runId: string): Promise<void> {
    await this.until(async () => {
      const { events } = await this.history(runId);
      return events?.some((event) => event.activityTaskTimedOutEventAttributes) === true ? true : undefined;
    });
  }

  /** The runs, once all are over. @throws when at some moment a run had succeeded without a result, or has a result without */
  async untilOver(): Promise<readonly RunStatus[]> {
    return this.until(async () => {
      const { rows } = await this.session.database.query(
        `select r.id, r.state from runs r left join results s on s.run_id = r.id
          where (r.state = 'SUCCEEDED') <> (s.run_id is not null)`,
      );
      if (rows.length > 0) throw new Error(`state and result differ: ${JSON.stringify(rows)}`);
      const runs = await listRuns(this.session.database, this.experimentId);
      return runs.every(({ state }) => isFinalState(state)) ? runs : undefined;
    });
  }

  digest(): Promise<string> {
    return deterministicDigest(this.session.database, this.experimentId);
  }

  /** Ends what is left of the scene. */
  async close(): Promise<void> {
    for (const { process: worker } of this.workers) {
      if (worker.exitCode !== null || worker.signalCode !== null) continue;
      worker.kill('SIGCONT');
      worker.kill('SIGTERM');
      await once(worker, 'exit');
    }
    await this.temporalWire.close();
    await this.postgresWire.close();
    await this.session.orchestrator.close();
    await rm(this.home, { recursive: true, force: true });
  }

  async until<Found>(look: () => Promise<Found | undefined>): Promise<Found> {
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      await delay(POLL_MS);
    }
  }
}

/** A namespace that can be used: every part of the server has to hear of a new one. */
async function makeNamespace({ client }: TestTemporal, namespace: string): Promise<void> {
  const { workflowService } = client.connection;
  await workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: msToTs('1 day'),
  });
  const inside = new Client({ connection: client.connection, namespace });
  for (;;) {
    try {
      await inside.workflow.count();
      return;
    } catch {
      await delay(POLL_MS);
    }
  }
}
