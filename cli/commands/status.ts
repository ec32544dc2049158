import { Command } from 'commander';
import { examples, outputOption } from '../command-options.ts';

export function statusCommand(): Command {
  return new Command('status')
    .summary('show which services run')
    .description(
      'Shows the services of this home, who uses them, and how many runs are in which state. Starts nothing.',
    )
    .addOption(outputOption(['table', 'json'], 'table'))
    .addHelpText('after', examples('thaw status'))
    .action(async ({ output }: { output: 'table' | 'json' }) => {
      const { showStatus } = await import('../service-verbs.ts');
      process.exitCode = await showStatus(output);
    });
}
