import { Command } from 'commander';
import { examples, outputOption, positiveNumber, TARGET_HELP } from './command-options.ts';

const LIMIT = 500;

export function getCommand(): Command {
  return new Command('get')
    .summary('show an experiment with its runs, or one run')
    .description('Shows an experiment with the state of every run, or one run.')
    .argument('<id>', TARGET_HELP)
    .option('--limit <count>', 'how many runs in the table at most', positiveNumber, LIMIT)
    .addOption(outputOption(['table', 'json'], 'table'))
    .addHelpText('after', examples('thaw get @latest', 'thaw get @latest/pool/0 -o json'))
    .action(async (id: string, { limit, output }: { limit: number; output: 'table' | 'json' }) => {
      const { showOne } = await import('../runs/show-experiments.ts');
      await showOne(id, output, limit);
    });
}
