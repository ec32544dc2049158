import { Command } from 'commander';
import { examples, TARGET_HELP } from './command-options.ts';

export function cancelCommand(): Command {
  return new Command('cancel')
    .summary('end an experiment, or one run, gracefully')
    .description(
      'Ends the runs that are not over, within seconds. What they have committed stays, and `thaw resume` goes on from ' +
        'there. Of one run that is named, the others of its experiment go on.',
    )
    .argument('<id>', TARGET_HELP)
    .addHelpText('after', examples('thaw cancel @latest', 'thaw cancel @latest/frozen/3'))
    .action(async (id: string) => {
      const { cancelById } = await import('../lifecycle/stop-experiment.ts');
      process.exitCode = await cancelById(id);
    });
}
