import { Command } from 'commander';
import { examples, outputOption, positiveNumber } from '../command-options.ts';
import type { ListingFormat } from '../listing.ts';

const LIMIT = 50;

export function listCommand(): Command {
  return new Command('list')
    .summary('list experiments, newest first')
    .description('Lists experiments, newest first, with how many of their runs are in which state.')
    .option('--limit <count>', 'how many at most', positiveNumber, LIMIT)
    .addOption(outputOption(['table', 'json', 'csv'], 'table'))
    .addHelpText('after', examples('thaw list', 'thaw list -o json'))
    .action(async ({ limit, output }: { limit: number; output: ListingFormat }) => {
      const { showList } = await import('../show-experiments.ts');
      await showList(output, limit);
    });
}
