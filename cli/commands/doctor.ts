import { Command } from 'commander';
import { examples, outputOption } from './command-options.ts';

export function doctorCommand(): Command {
  return new Command('doctor')
    .summary('tell what is wrong with this installation')
    .description(
      'Prints the configuration with secrets masked and the versions, tests every component, and says what to do about ' +
        'those that fail.',
    )
    .addOption(outputOption(['table', 'json'], 'table'))
    .addHelpText('after', examples('thaw doctor'))
    .action(async ({ output }: { output: 'table' | 'json' }) => {
      const { examine } = await import('../upkeep/doctor.ts');
      process.exitCode = await examine(output);
    });
}
