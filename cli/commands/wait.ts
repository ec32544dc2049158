import { Command } from 'commander';
import { examples, ID_HELP } from './command-options.ts';

export function waitCommand(): Command {
  return new Command('wait')
    .summary('return when an experiment is over')
    .description(
      'Waits in silence until all runs are over or paused. Exit code 0, or 4 if some did not succeed; for scripts. Ctrl-C ' +
        'leaves, and the experiment goes on (exit code 130).',
    )
    .argument('<id>', ID_HELP)
    .addHelpText('after', examples('thaw wait @latest && thaw results @latest -o csv > table.csv'))
    .action(async (id: string) => {
      const { followExperiment } = await import('../watching/follow-experiment.ts');
      process.exitCode = await followExperiment(id, { isQuiet: true });
    });
}
