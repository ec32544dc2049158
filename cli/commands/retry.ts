import { Command } from 'commander';
import { changeOption, examples, TARGET_HELP } from './command-options.ts';

export function retryCommand(): Command {
  return new Command('retry')
    .summary('try failed runs again')
    .description(
      'Tries the FAILED, CRASHED and TIMED_OUT runs of an experiment again, or one of them, from their last committed ' +
        'rounds. What is paused, cancelled or running stays as it is.',
    )
    .argument('<id>', TARGET_HELP)
    .requiredOption('--failed', 'the runs that ended without success')
    .addOption(changeOption('execution.memory_mib=4096'))
    .addHelpText(
      'after',
      examples('thaw retry --failed @latest', 'thaw retry --failed @latest --set execution.memory_mib=4096'),
    )
    .action(async (id: string, { set }: { set: readonly string[] }) => {
      const { retryFailedById } = await import('../lifecycle/retry-failed.ts');
      process.exitCode = await retryFailedById(id, set);
    });
}
