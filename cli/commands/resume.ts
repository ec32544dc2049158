import { Command } from 'commander';
import { examples, ID_HELP } from '../command-options.ts';

export function resumeCommand(): Command {
  return new Command('resume')
    .summary('go on with cancelled runs')
    .description(
      'Goes on with the cancelled runs of an experiment from their last committed rounds, and with runs that nothing ' +
        'looks after any more. An experiment that is complete stays as it is.',
    )
    .argument('<id>', ID_HELP)
    .addHelpText('after', examples('thaw resume @latest'))
    .action(async (id: string) => {
      const { resumeById } = await import('../resume-experiment.ts');
      process.exitCode = await resumeById(id);
    });
}
