import { Command } from 'commander';
import { examples, ID_HELP } from './command-options.ts';

export function deleteCommand(): Command {
  return new Command('delete')
    .summary('delete an experiment with its rows and files')
    .description(
      'Deletes an experiment whose runs are over: rows, checkpoints and policies that nothing else needs. What was written to ' +
        'its output folder stays. It cannot be undone.',
    )
    .argument('<id>', ID_HELP)
    .option('--yes', 'do not ask', false)
    .option(
      '--force',
      'also when runs of other experiments show its values; they are computed anew when resumed',
      false,
    )
    .addHelpText('after', examples('thaw delete spread-collapse-1a2b3c4d', 'thaw delete @latest --yes'))
    .action(async (id: string, { yes, force }: { yes: boolean; force: boolean }) => {
      const { deleteById } = await import('../upkeep/delete-experiment.ts');
      process.exitCode = await deleteById(id, { isConfirmed: yes, isForced: force });
    });
}
