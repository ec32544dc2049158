import { Command } from 'commander';
import { examples, outputOption, positiveNumber } from './command-options.ts';
import type { TableFormatName } from '../table-formats/index.ts';

interface Options {
  readonly family?: string;
  readonly panel?: string;
  readonly top: number;
  readonly output: TableFormatName;
}

export function leaderboardCommand(): Command {
  return new Command('leaderboard')
    .summary('rank what was reached on every test panel')
    .description(
      'Ranks all stored runs by family and test panel: mean test return with its interval, the worst test simulator, the ' +
        'relative gap, env steps and n. Beside them stand the baselines that the studies of the repository reached. Only ' +
        'variants with the same test panel, by content, and the same learning seats stand in one table.',
    )
    .option('--family <family>', 'this family only')
    .option('--panel <hash>', 'this test panel only, by the beginning of its hash')
    .option('--top <n>', 'how many of each table to show; JSON and CSV have all', positiveNumber, 10)
    .addOption(outputOption(['table', 'json', 'csv', 'markdown', 'latex'], 'table'))
    .addHelpText(
      'after',
      examples(
        'thaw leaderboard',
        'thaw leaderboard --family simple_spread --top 3',
        'thaw leaderboard --panel 65a5 -o csv',
      ),
    )
    .action(async ({ family, panel, top, output }: Options) => {
      const { showLeaderboard } = await import('../comparison/leaderboard.ts');
      await showLeaderboard({ family, panel, top, format: output });
    });
}
