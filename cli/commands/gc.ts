import { Command } from 'commander';
import { examples, outputOption } from './command-options.ts';

export function gcCommand(): Command {
  return new Command('gc')
    .summary('remove checkpoints and policies that nothing needs')
    .description(
      'Removes artifacts that no experiment refers to, and rests of writes that were cut short; tells how much is kept. It is ' +
        'safe while runs are at work: what was written within the last hour stays, and so does what running attempts write.',
    )
    .option('--dry-run', 'only tell what would be removed', false)
    .addOption(outputOption(['table', 'json'], 'table'))
    .addHelpText('after', examples('thaw gc --dry-run', 'thaw gc'))
    .action(async ({ output, dryRun }: { output: 'table' | 'json'; dryRun: boolean }) => {
      const { collectUnneeded } = await import('../upkeep/collect-garbage.ts');
      process.exitCode = await collectUnneeded(output, { isDryRun: dryRun });
    });
}
