import { Command } from 'commander';
import { examples, FAILURE_HELP, outputOption, TARGET_HELP, wholeNumber } from './command-options.ts';
import type { ListingFormat } from '../table-formats/listing.ts';

interface Options {
  readonly variant?: string;
  readonly seed?: number;
  readonly group?: number;
  readonly output: ListingFormat;
}

export function failuresCommand(): Command {
  return new Command('failures')
    .summary('list the validation episodes that failed, or tell one of them in words')
    .description(
      'Lists the episodes that were mined on the validation panel because they went badly: the simulator, the return ' +
        'beside that of chance and of the best known policy, the moment from which on it was lost, the group of failures ' +
        'that look alike, and how many simulators were made from it and entered a pool. With the id of a failure: that ' +
        'one in words, with the fate of what was made from it, and the command that plays it again.',
    )
    .argument('<id>', `${TARGET_HELP}; or ${FAILURE_HELP}`)
    .option('--variant <name>', 'this variant only')
    .option('--seed <n>', 'runs of this seed only', wholeNumber)
    .option('--group <n>', 'this group of each mining only', wholeNumber)
    .addOption(outputOption(['table', 'json', 'csv'], 'table'))
    .addHelpText(
      'after',
      examples(
        'thaw failures @latest',
        'thaw failures @latest --variant failure_driven --seed 3 -o json',
        'thaw failures @latest/failure_driven/3:10.2',
      ),
    )
    .action(async (id: string, { variant, seed, group, output }: Options) => {
      const { showFailures } = await import('../failures/show-failures.ts');
      await showFailures(id, { variant, seed, group, format: output });
    });
}
