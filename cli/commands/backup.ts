import { Command } from 'commander';
import { examples } from './command-options.ts';

export function backupCommand(): Command {
  return new Command('backup')
    .summary('copy all experiments with their files into a folder')
    .description(
      'Copies the rows of all experiments as they are at one moment, and the checkpoints and policies that they name, into an ' +
        'empty folder. Runs go on meanwhile. `thaw restore` brings it back.',
    )
    .argument('<folder>', 'an empty folder; it is made when it is not there')
    .addHelpText('after', examples('thaw backup /backups/2026-11-30'))
    .action(async (folder: string) => {
      const { makeBackup } = await import('../upkeep/make-backup.ts');
      process.exitCode = await makeBackup(folder);
    });
}
