import { Command } from 'commander';
import { examples, setOption } from './command-options.ts';

export function runCommand(): Command {
  return new Command('run')
    .summary('run experiments to the end and print their tables: the main job')
    .description(
      'Submits experiments, shows how far they are, prints their tables, and writes tables and policies into their ' +
        'output folders. Starts the services it needs, and ends them when nothing else uses them. Ctrl-C once leaves ' +
        'the runs to themselves, twice cancels them; SIGTERM leaves. What is finished already is not computed again.',
    )
    .argument('<files...>', 'experiment files')
    .addOption(setOption())
    .addHelpText('after', examples('thaw run experiments/demo.json', 'thaw run my.json --set seeds.count=10'))
    .action(async (files: string[], { set }: { set: readonly string[] }) => {
      const { runFiles } = await import('../submission/run-files.ts');
      process.exitCode = await runFiles(files, set);
    });
}
