import { Command } from 'commander';
import { examples } from './command-options.ts';

export function upCommand(): Command {
  return new Command('up')
    .summary('start the services and keep them running')
    .description(
      'Starts Postgres, Temporal and a worker, as far as they are not external, and keeps them until `down`.',
    )
    .addHelpText('after', examples('thaw up'))
    .action(async () => {
      const { bringUp } = await import('../services/service-verbs.ts');
      await bringUp();
    });
}
