import { Command } from 'commander';
import { examples, outputOption, setOption } from './command-options.ts';

interface Options {
  readonly set: readonly string[];
  readonly output: 'table' | 'json';
}

export function planCommand(): Command {
  return new Command('plan')
    .summary('show what would run, how long it takes and how much memory')
    .description(
      'Shows what would run: variants × seeds, env steps, rounds, estimated time and memory. Starts nothing.',
    )
    .argument('<files...>', 'experiment files')
    .addOption(setOption())
    .addOption(outputOption(['table', 'json'], 'table'))
    .addHelpText('after', examples('thaw plan experiments/demo.json --set seeds.count=10'))
    .action(async (files: string[], { set, output }: Options) => {
      const { planFiles } = await import('../specs/plan-files.ts');
      process.exitCode = await planFiles(files, { overrides: set, format: output });
    });
}
