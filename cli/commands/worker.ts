import { Command, InvalidArgumentError } from 'commander';
import { durationMs, durationSchema } from '../../schemas/duration.ts';
import { examples, positiveNumber } from './command-options.ts';
import type { WorkerQueue } from '../worker/worker.ts';

export function workerCommand(): Command {
  return new Command('worker')
    .summary('run one more worker')
    .description(
      'Runs a worker until it is told to stop. THAW_DATABASE_URL and THAW_TEMPORAL_ADDRESS name the services, and ' +
        'THAW_ARTIFACTS a folder that all workers share. Told to stop (SIGTERM, Ctrl-C), it takes no new work and lets ' +
        'rounds end within the grace time; the others go on at another worker.',
    )
    .option(
      '--queues <queues>',
      'task queues it serves: some of orchestrate,train-cpu,evaluate; all by default',
      parseQueues,
    )
    .option(
      '--memory-mib <mib>',
      'memory for all training processes together (THAW_WORKER_MEMORY_MIB; 90 % of the machine by default)',
      positiveNumber,
    )
    .option(
      '--metrics-port <port>',
      'tell Prometheus metrics at http://HOST:PORT/metrics (THAW_METRICS_PORT; none by default)',
      positiveNumber,
    )
    .option('--metrics-host <host>', 'address they are told at (THAW_METRICS_HOST; 127.0.0.1 by default)')
    .option('--grace <duration>', 'how long running rounds may go on when it is told to stop', parseDuration, '10s')
    .addHelpText(
      'after',
      examples(
        'thaw worker --queues train-cpu,evaluate',
        'thaw worker --memory-mib 8192 --grace 5m',
        'thaw worker --metrics-port 9464',
      ),
    )
    .action(async ({ queues, memoryMib, metricsPort, metricsHost, grace }: WorkerOptions) => {
      const { runWorker, WORKER_QUEUES } = await import('../worker/worker.ts');
      const { readConfiguration } = await import('../../infra/configuration.ts');
      const configuration = readConfiguration(process.env);
      await runWorker(
        {
          ...configuration,
          workerMemoryMib: memoryMib ?? configuration.workerMemoryMib,
          metricsPort: metricsPort ?? configuration.metricsPort,
          metricsHost: metricsHost ?? configuration.metricsHost,
        },
        { queues: queues ?? WORKER_QUEUES, graceMs: durationMs(grace) },
      );
    });
}

interface WorkerOptions {
  readonly queues?: readonly WorkerQueue[];
  readonly memoryMib?: number;
  readonly metricsPort?: number;
  readonly metricsHost?: string;
  readonly grace: string;
}

function parseDuration(text: string): string {
  if (durationSchema.safeParse(text).success) return text;
  throw new InvalidArgumentError('Expected a duration such as 20s, 5m or 1h.');
}

const QUEUES = { orchestrate: true, 'train-cpu': true, evaluate: true } satisfies Record<WorkerQueue, true>;

function parseQueues(text: string): readonly WorkerQueue[] {
  const queues = text.split(',');
  if (!queues.every((queue) => Object.hasOwn(QUEUES, queue))) {
    throw new InvalidArgumentError(`Expected some of ${Object.keys(QUEUES).join(', ')}, separated by commas.`);
  }
  return queues as WorkerQueue[];
}
