import { Command } from 'commander';
import { examples } from './command-options.ts';

export function restoreCommand(): Command {
  return new Command('restore')
    .summary('bring a backup into a home without experiments')
    .description(
      'Verifies a backup, and brings its experiments with their files into this home, which must have none. Runs that were not ' +
        'over when the backup was made go on.',
    )
    .argument('<folder>', 'the folder of a backup')
    .addHelpText('after', examples('thaw restore /backups/2026-11-30'))
    .action(async (folder: string) => {
      const { restoreBackup } = await import('../upkeep/restore-backup.ts');
      process.exitCode = await restoreBackup(folder);
    });
}
