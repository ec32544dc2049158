import { Command } from 'commander';
import { examples, TARGET_HELP } from '../command-options.ts';

export function logsCommand(): Command {
  return new Command('logs')
    .summary('show what happened to an experiment or a run')
    .description(
      'Shows events and attempts in the order of time, with the last words of what failed: of an experiment the failed ' +
        'attempts, of a run all of them.',
    )
    .argument('<id>', TARGET_HELP)
    .option('-f, --follow', 'go on until everything is over', false)
    .addHelpText('after', examples('thaw logs @latest', 'thaw logs @latest/pool/0 -f'))
    .action(async (id: string, { follow }: { follow: boolean }) => {
      const { showLogs } = await import('../show-logs.ts');
      await showLogs(id, { isFollowing: follow });
    });
}
