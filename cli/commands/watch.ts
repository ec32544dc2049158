import { Command } from 'commander';
import { examples, ID_HELP } from '../command-options.ts';

export function watchCommand(): Command {
  return new Command('watch')
    .summary('follow an experiment until it is over')
    .description(
      'Shows how far an experiment is until all its runs are over or paused. Exit code 0, or 4 if some did not succeed.',
    )
    .argument('<id>', ID_HELP)
    .addHelpText('after', examples('thaw watch @latest'))
    .action(async (id: string) => {
      const { followExperiment } = await import('../follow-experiment.ts');
      process.exitCode = await followExperiment(id, { isQuiet: false });
    });
}
