import { Command } from 'commander';
import { examples, outputOption, positiveNumber, TARGET_HELP, wholeNumber } from './command-options.ts';

interface Options {
  readonly variant?: string;
  readonly seed?: number;
  readonly reproduce?: string;
  readonly round?: number;
  readonly output: 'table' | 'json';
}

export function diagnoseCommand(): Command {
  return new Command('diagnose')
    .summary('say what is wrong with runs, with the evidence and what to do')
    .description(
      'Looks for seven known problems in the runs of every variant: a policy that fits one simulator only, a pool that ' +
        'is too wide, new simulators that do not help, lack of memory, numbers that do not repeat, rounds that take ' +
        'longer and longer, evaluations that jump. Prints what was found with its numbers and a remedy, and what could ' +
        'not be told and why. With --reproduce it plays one round of a run again and compares all its rows; 0 is the ' +
        'exit code when they are the same, 4 when some differ.',
    )
    .argument('[id]', TARGET_HELP)
    .option('--variant <name>', 'this variant only')
    .option('--seed <n>', 'runs of this seed only', wholeNumber)
    .option('--reproduce <run>', 'play one round of this run again, EXPERIMENT/VARIANT/SEED')
    .option('--round <n>', 'which round, 1 is the first; the last that can be played again by default', positiveNumber)
    .addOption(outputOption(['table', 'json'], 'table'))
    .addHelpText(
      'after',
      examples(
        'thaw diagnose @latest',
        'thaw diagnose @latest --variant frozen -o json',
        'thaw diagnose --reproduce @latest/frozen/0',
      ),
    )
    .action(async (id: string | undefined, options: Options, command: Command) => {
      const { reproduce, round, variant, seed, output } = options;
      if ((id === undefined) === (reproduce === undefined)) {
        command.error('error: name either an experiment or, with --reproduce, a run');
      }
      if (round !== undefined && reproduce === undefined) command.error('error: --round is for --reproduce');
      if (reproduce !== undefined) {
        const { showReproduction } = await import('../diagnosis/show-reproduction.ts');
        process.exitCode = await showReproduction(reproduce, { round, format: output });
      } else {
        const { showDiagnosis } = await import('../diagnosis/show-diagnosis.ts');
        await showDiagnosis(id!, { variant, seed, format: output });
      }
    });
}
