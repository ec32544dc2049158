import { Command } from 'commander';
import { examples, ID_HELP, outputOption, positiveNumber } from './command-options.ts';
import type { ListingFormat } from '../table-formats/listing.ts';

interface Options {
  readonly episodes: number;
  readonly seeds?: number;
  readonly simulator?: string;
  readonly output: ListingFormat;
}

export function crossPlayCommand(): Command {
  return new Command('cross-play')
    .summary('let the policies of the variants play with each other')
    .description(
      'Plays the last policy of every variant, on the seats that learn, with the last policy of every variant on the ' +
        'other seats, under every seed that both have finished; and with its own variant of another seed. Where all ' +
        'seats learn, the first role, or the first seat, meets the others. Prints the matrix of mean returns: a row ' +
        'for the learners, a column for their partners. What was played before is not played again.',
    )
    .argument('<id>', ID_HELP)
    .option('--episodes <n>', 'episodes of each pair', positiveNumber, 100)
    .option('--seeds <n>', 'so many seeds, from the first on (default: all)', positiveNumber)
    .option('--simulator <name>', "whose physics it is (default: the first train simulator of the row's variant)")
    .addOption(outputOption(['table', 'json', 'csv'], 'table'))
    .addHelpText(
      'after',
      examples('thaw cross-play @latest', 'thaw cross-play demo --episodes 320 --seeds 5 --simulator base -o json'),
    )
    .action(async (id: string, { episodes, seeds, simulator, output }: Options) => {
      const { showCrossPlay } = await import('../cross-play/show-cross-play.ts');
      await showCrossPlay(id, { episodes, seedCount: seeds ?? null, simulator: simulator ?? null }, output);
    });
}
