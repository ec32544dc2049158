import { Command } from 'commander';
import { examples, setOption } from './command-options.ts';

interface Options {
  readonly print: boolean;
  readonly set: readonly string[];
}

export function validateCommand(): Command {
  return new Command('validate')
    .summary('check experiment files and tell everything that is wrong')
    .description('Checks experiment files, and tells everything that is wrong with them at once. Starts nothing.')
    .argument('<files...>', 'experiment files')
    .option('--print', 'print the experiment with every default written out, as JSON', false)
    .addOption(setOption())
    .addHelpText('after', examples('thaw validate experiments/demo.json', 'thaw validate --print my.json'))
    .action(async (files: string[], { print, set }: Options) => {
      const { validateFiles } = await import('../specs/validate-files.ts');
      process.exitCode = await validateFiles(files, { overrides: set, isPrinting: print });
    });
}
