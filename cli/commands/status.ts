import { Command } from 'commander';
import { examples, outputOption } from './command-options.ts';

export function statusCommand(): Command {
  return new Command('status')
    .summary('show which services run')
    .description(
      'Shows the services of this home, who uses them, and how many runs are in which state. Starts nothing.',
    )
    .option('--addresses', 'also print the command line of a further worker, with the password of the database', false)
    .addOption(outputOption(['table', 'json'], 'table'))
    .addHelpText('after', examples('thaw status', 'thaw status --addresses'))
    .action(async ({ output, addresses }: { output: 'table' | 'json'; addresses: boolean }) => {
      const { showStatus } = await import('../services/service-verbs.ts');
      process.exitCode = await showStatus(output, { hasAddresses: addresses });
    });
}
