import { Command } from 'commander';
import { examples, ID_HELP } from './command-options.ts';

export function watchCommand(): Command {
  return new Command('watch')
    .summary('follow an experiment until it is over')
    .description(
      'Shows how far an experiment is, with the time left, until all its runs are over or paused: a block that is drawn anew ' +
        'on a terminal, elsewhere lines. Ctrl-C leaves, and the experiment goes on (exit code 130). Exit code 0, or 4 if some ' +
        'runs did not succeed.',
    )
    .argument('<id>', ID_HELP)
    .addHelpText('after', examples('thaw watch @latest'))
    .action(async (id: string) => {
      const { followExperiment } = await import('../watching/follow-experiment.ts');
      process.exitCode = await followExperiment(id, { isQuiet: false });
    });
}
