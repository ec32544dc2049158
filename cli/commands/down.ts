import { Command } from 'commander';
import { examples } from './command-options.ts';

export function downCommand(): Command {
  return new Command('down')
    .summary('stop the services')
    .description(
      'Stops the services of this home, whoever uses them. Nothing is lost: runs go on when they are up again.',
    )
    .addHelpText('after', examples('thaw down'))
    .action(async () => {
      const { bringDown } = await import('../services/service-verbs.ts');
      await bringDown();
    });
}
