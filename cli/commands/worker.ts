import { Command, InvalidArgumentError } from 'commander';
import { examples } from '../command-options.ts';
import type { WorkerQueue } from '../worker.ts';

export function workerCommand(): Command {
  return new Command('worker')
    .summary('run one more worker')
    .description(
      'Runs a worker until it is told to stop. THAW_DATABASE_URL and THAW_TEMPORAL_ADDRESS name the services, and ' +
        'THAW_ARTIFACTS a folder that all workers share.',
    )
    .option(
      '--queues <queues>',
      'task queues it serves: some of orchestrate,train-cpu,evaluate; all by default',
      parseQueues,
    )
    .addHelpText('after', examples('thaw worker --queues train-cpu,evaluate'))
    .action(async ({ queues }: { queues?: readonly WorkerQueue[] }) => {
      const { runWorker } = await import('../worker.ts');
      const { readConfiguration } = await import('../../infra/configuration.ts');
      await runWorker(readConfiguration(process.env), queues === undefined ? {} : { queues });
    });
}

const QUEUES = { orchestrate: true, 'train-cpu': true, evaluate: true } satisfies Record<WorkerQueue, true>;

function parseQueues(text: string): readonly WorkerQueue[] {
  const queues = text.split(',');
  if (!queues.every((queue) => Object.hasOwn(QUEUES, queue))) {
    throw new InvalidArgumentError(`Expected some of ${Object.keys(QUEUES).join(', ')}, separated by commas.`);
  }
  return queues as WorkerQueue[];
}
