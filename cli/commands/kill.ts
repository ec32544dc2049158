import { Command } from 'commander';
import { examples, TARGET_HELP } from './command-options.ts';

export function killCommand(): Command {
  return new Command('kill')
    .summary('end an experiment, or one run, at once')
    .description(
      'Ends the runs that are not over without waiting for anybody; for when `thaw cancel` takes too long. The round ' +
        'that is being computed is lost, what was committed stays, and `thaw resume` goes on from there. Training ' +
        'processes end within about two seconds.',
    )
    .argument('<id>', TARGET_HELP)
    .addHelpText('after', examples('thaw kill @latest', 'thaw kill @latest/frozen/3'))
    .action(async (id: string) => {
      const { killById } = await import('../lifecycle/stop-experiment.ts');
      process.exitCode = await killById(id);
    });
}
