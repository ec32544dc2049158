import { Command } from 'commander';
import { examples, ID_HELP } from '../command-options.ts';

export function retryCommand(): Command {
  return new Command('retry')
    .summary('try failed runs again')
    .description(
      'Tries the FAILED, CRASHED and TIMED_OUT runs of an experiment again, from their last committed rounds.',
    )
    .argument('<id>', ID_HELP)
    .requiredOption('--failed', 'the runs that ended without success')
    .addHelpText('after', examples('thaw retry --failed @latest'))
    .action(async (id: string) => {
      const { retryFailedById } = await import('../retry-failed.ts');
      process.exitCode = await retryFailedById(id);
    });
}
