import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import getPort from 'get-port';
import { expect } from 'vitest';
import type { Activities } from '../../activities/create-activities.ts';
import { readConfiguration } from '../../infra/configuration.ts';
import { buildFolder } from '../../infra/installation.ts';
import { prepareTemporal } from '../../infra/services/embedded-services.ts';
import { untilWorkflowsEnd } from '../../infra/temporal/open-workflows.ts';
import { startService, stopProcess } from '../../infra/services/service-process.ts';

/** A workflow closes a moment after the last of its rows. */
const CLOSING_MS = 10_000;

/** A real Temporal server for the tests of one file. */
export interface TestTemporal {
  /** host:port */
  readonly address: string;
  readonly client: Client;
  /**
   * Runs the work beside a worker with the built workflows and the given activities on every queue.
   * @param options.slots computing activities of one kind that it does at once
   */
  withActivities<Result>(
    activities: Activities,
    work: () => Promise<Result>,
    options?: { readonly slots: number },
  ): Promise<Result>;
  /** Ends the server. @throws when a workflow is open */
  stop(): Promise<void>;
}

/** Starts the dev server in a folder of its own, on a free port. */
export async function startTestTemporal(): Promise<TestTemporal> {
  // Activities fail on purpose in these tests.
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const home = mkdtempSync(path.join(tmpdir(), 'thaw-temporal-'));
  const create = await prepareTemporal(readConfiguration({ ...process.env, THAW_HOME: home }), () => undefined);
  const port = await getPort({ host: '127.0.0.1' });
  const service = create(port);
  const running = await startService(service, {
    logFile: path.join(home, 'temporal.log'),
    signal: new AbortController().signal,
    onStarted: () => undefined,
  });
  const address = `127.0.0.1:${port}`;
  const connection = await Connection.connect({ address });
  const native = await NativeConnection.connect({ address });
  return {
    address,
    client: new Client({ connection }),
    async withActivities(activities, work, { slots } = { slots: 100 }) {
      const workers = await Promise.all(
        ['orchestrate', 'train-cpu', 'evaluate'].map((taskQueue) =>
          Worker.create({
            connection: native,
            taskQueue,
            activities,
            maxHeartbeatThrottleInterval: 100,
            ...(taskQueue !== 'orchestrate' && { maxConcurrentActivityTaskExecutions: slots }),
            ...(taskQueue === 'orchestrate' && {
              workflowBundle: { codePath: path.join(buildFolder(), 'workflows/bundle.js') },
            }),
          }),
        ),
      );
      // Every worker but the last runs until the one before it has finished, which ends when the work does.
      const runAll = workers.reduce<() => Promise<unknown>>((inner, worker) => () => worker.runUntil(inner), work);
      return (await runAll()) as Awaited<ReturnType<typeof work>>;
    },
    async stop() {
      try {
        expect(await untilWorkflowsEnd(address, 'default', CLOSING_MS), 'open workflows').toEqual([]);
      } finally {
        await connection.close();
        await native.close();
        await stopProcess(running, service.stopRule);
        await rm(home, { recursive: true, force: true });
      }
    },
  };
}
