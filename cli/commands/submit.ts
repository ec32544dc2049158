import { Command } from 'commander';
import { examples, outputOption, setOption } from './command-options.ts';

interface Options {
  readonly atomic: boolean;
  readonly output: 'table' | 'json';
  readonly failFast: boolean;
  readonly set: readonly string[];
}

export function submitCommand(): Command {
  return new Command('submit')
    .summary('start experiments and leave them to the services')
    .description(
      'Checks every file before anything starts, stores the experiments and starts their runs. Files that are wrong are ' +
        'refused and the others started (exit code 2), unless --atomic is given. The same file again is the same ' +
        'experiment; an edited file under the same name is a new version of it.',
    )
    .argument('<files...>', 'experiment files')
    .option('--fail-fast', 'start no further run once one has failed for good', false)
    .option('--atomic', 'all files or none: start nothing when one is refused', false)
    .addOption(setOption())
    .addOption(outputOption(['table', 'json'], 'table'))
    .addHelpText('after', examples('thaw submit experiments/demo.json', 'thaw submit batch/*.json --atomic -o json'))
    .action(async (files: string[], { atomic, failFast, output, set }: Options) => {
      const { submitFiles } = await import('../submission/submit-files.ts');
      const options = { overrides: set, stopsOnFailure: failFast, isAtomic: atomic, format: output };
      process.exitCode = await submitFiles(files, options);
    });
}
