import { Command, InvalidArgumentError } from 'commander';
import { durationMs, durationSchema } from '../../schemas/duration.ts';
import { examples, outputOption, positiveNumber, TARGET_HELP, wholeNumber } from './command-options.ts';

export function logsCommand(): Command {
  return new Command('logs')
    .summary('show what happened to an experiment or a run')
    .description(
      'Shows events and attempts in the order of time, and of what failed when, where and how: of an experiment the failed ' +
        'attempts, of a run all of them. With -f it goes on until everything is over or paused, and ends with the states; ' +
        'Ctrl-C ends the telling and nothing else. In JSON there is one object a line.',
    )
    .argument('<id>', TARGET_HELP)
    .option('-f, --follow', 'go on until everything is over or paused', false)
    .option('-n, --lines <count>', 'of what has happened up to now, only the last so many entries', wholeNumber)
    .option(
      '--since <time>',
      'nothing older: a duration such as 10m, or a time such as 2026-01-31T12:00:00Z',
      parseSince,
    )
    .option('--all', 'of an experiment all attempts, and not only those that failed', false)
    .option('--attempt <number>', 'one attempt of a run, with all that its process wrote at the end', positiveNumber)
    .addOption(outputOption(['text', 'json'], 'text'))
    .addHelpText(
      'after',
      examples(
        'thaw logs @latest',
        'thaw logs @latest/pool/0 -f -n 20',
        'thaw logs @latest --since 1h -o json',
        'thaw logs @latest/pool/0 --attempt 3',
      ),
    )
    .action(async (id: string, { follow, lines, since, all, attempt, output }: LogsOptions) => {
      if (attempt !== undefined) {
        const { showAttempt } = await import('../runs/show-attempt.ts');
        await showAttempt(id, attempt, output);
        return;
      }
      const { showLogs } = await import('../runs/show-logs.ts');
      await showLogs(id, {
        isFollowing: follow,
        format: output,
        withAll: all,
        since: since?.(Date.now()) ?? null,
        lastCount: lines ?? null,
      });
    });
}

interface LogsOptions {
  readonly follow: boolean;
  readonly lines?: number;
  readonly since?: (nowMs: number) => Date;
  readonly all: boolean;
  readonly attempt?: number;
  readonly output: 'text' | 'json';
}

function parseSince(text: string): (nowMs: number) => Date {
  if (durationSchema.safeParse(text).success) return (nowMs) => new Date(nowMs - durationMs(text));
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new InvalidArgumentError('Expected a duration such as 20s, 5m or 1h, or a time.');
  return () => new Date(time);
}
