import { Command } from 'commander';
import { changeOption, examples, ID_HELP, outputOption, positiveNumber } from './command-options.ts';

interface Options {
  readonly set: readonly string[];
  readonly from?: number;
  readonly name?: string;
  readonly dryRun: boolean;
  readonly output: 'table' | 'json';
}

export function forkCommand(): Command {
  return new Command('fork')
    .summary('make a new experiment out of one, from its beginning or from a round')
    .description(
      'Stores a changed copy of an experiment as a new one, and starts it. With --from, its runs take over everything up ' +
        'to a round of the runs they were forked from, and go on there.',
    )
    .argument('<id>', ID_HELP)
    .addOption(changeOption('budget.rounds=40'))
    .option('--from <round>', 'completed rounds to take over; their checkpoint must still be there', positiveNumber)
    .option('--name <name>', 'name of the new experiment (default: that of the old one, and "-fork")')
    .option('--submit', 'store and start it, which is done anyway')
    .option('--dry-run', 'tell what it would be, and store nothing', false)
    .addOption(outputOption(['table', 'json'], 'table'))
    .addHelpText(
      'after',
      examples(
        'thaw fork @latest --set algorithm.learning_rate=0.001',
        'thaw fork @latest --from 20 --set budget.rounds=40 --set budget.env_steps=2000000 --dry-run',
      ),
    )
    .action(async (id: string, { set: overrides, from, name, dryRun, output }: Options) => {
      const { forkById } = await import('../lifecycle/fork-experiment.ts');
      process.exitCode = await forkById(id, { overrides, fromRound: from ?? null, name, isDryRun: dryRun, output });
    });
}
