import { Command } from 'commander';
import { examples, setOption } from '../command-options.ts';

interface Options {
  readonly failFast: boolean;
  readonly set: readonly string[];
}

export function submitCommand(): Command {
  return new Command('submit')
    .summary('start experiments and leave them to the services')
    .description(
      'Checks every file before anything starts, stores the experiments and starts their runs. The same file again is ' +
        'the same experiment; an edited file under the same name is a new version of it.',
    )
    .argument('<files...>', 'experiment files')
    .option('--fail-fast', 'start no further run once one has failed for good', false)
    .addOption(setOption())
    .addHelpText('after', examples('thaw submit experiments/demo.json', 'thaw submit *.json --fail-fast'))
    .action(async (files: string[], { failFast, set }: Options) => {
      const { submitFiles } = await import('../submit-files.ts');
      process.exitCode = await submitFiles(files, { overrides: set, stopsOnFailure: failFast });
    });
}
