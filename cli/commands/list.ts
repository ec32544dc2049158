import { Command } from 'commander';
import { examples, outputOption, positiveNumber } from './command-options.ts';
import type { ListingFormat } from '../table-formats/listing.ts';

const LIMIT = 50;

interface Options {
  readonly output: ListingFormat;
  readonly limit: number;
  readonly after?: string;
}

export function listCommand(): Command {
  return new Command('list')
    .summary('list experiments, newest first')
    .description('Lists experiments, newest first, with how many of their runs are in which state.')
    .option('--limit <count>', 'how many at most', positiveNumber, LIMIT)
    .option('--after <id>', 'those that are older than this one, the last of the page before')
    .addOption(outputOption(['table', 'json', 'csv'], 'table'))
    .addHelpText('after', examples('thaw list', 'thaw list --limit 1000 -o json', 'thaw list --after demo-1a2b3c4d'))
    .action(async ({ output, limit, after }: Options) => {
      const { showList } = await import('../runs/show-experiments.ts');
      await showList(output, { limit, after });
    });
}
