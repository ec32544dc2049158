import { Command } from 'commander';
import { examples, outputOption, positiveNumber, TARGET_HELP } from '../command-options.ts';

export function logsCommand(): Command {
  return new Command('logs')
    .summary('show what happened to an experiment or a run')
    .description(
      'Shows events and attempts in the order of time, and of what failed when, where and how: of an experiment the failed ' +
        'attempts, of a run all of them. In JSON there is one object a line.',
    )
    .argument('<id>', TARGET_HELP)
    .option('-f, --follow', 'go on until everything is over', false)
    .option('--attempt <number>', 'one attempt of a run, with all that its process wrote at the end', positiveNumber)
    .addOption(outputOption(['text', 'json'], 'text'))
    .addHelpText(
      'after',
      examples('thaw logs @latest', 'thaw logs @latest/pool/0 -f', 'thaw logs @latest/pool/0 --attempt 3'),
    )
    .action(async (id: string, { follow, attempt, output }: LogsOptions) => {
      if (attempt !== undefined) {
        const { showAttempt } = await import('../show-attempt.ts');
        await showAttempt(id, attempt, output);
        return;
      }
      const { showLogs } = await import('../show-logs.ts');
      await showLogs(id, { isFollowing: follow, format: output });
    });
}

interface LogsOptions {
  readonly follow: boolean;
  readonly attempt?: number;
  readonly output: 'text' | 'json';
}
