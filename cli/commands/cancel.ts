import { Command } from 'commander';
import { examples, ID_HELP } from '../command-options.ts';

export function cancelCommand(): Command {
  return new Command('cancel')
    .summary('end the runs of an experiment gracefully')
    .description(
      'Ends the runs that are not over. What they have committed stays, and `thaw resume` goes on from there.',
    )
    .argument('<id>', ID_HELP)
    .addHelpText('after', examples('thaw cancel @latest'))
    .action(async (id: string) => {
      const { cancelById } = await import('../stop-experiment.ts');
      process.exitCode = await cancelById(id);
    });
}
