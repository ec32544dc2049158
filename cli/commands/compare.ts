import { Command } from 'commander';
import { examples, ID_HELP, outputOption } from './command-options.ts';
import type { TableFormatName } from '../table-formats/index.ts';

interface Options {
  readonly metric: string;
  readonly baseline?: string;
  readonly profile: boolean;
  readonly output: TableFormatName;
}

export function compareCommand(): Command {
  return new Command('compare')
    .summary('say which variants differ, and how sure that is')
    .description(
      'Compares the variants of one or several experiments by a metric: mean, median and interquartile mean with an ' +
        'interval, the probability that a run has more than one of the baseline, the difference under equal seeds, ' +
        'p-values corrected for the number of variants, and one plain sentence for each. It warns where variants differ ' +
        'in more than what is compared. Of several experiments variants are called EXPERIMENT/VARIANT.',
    )
    .argument('<id...>', ID_HELP)
    .option('--metric <metric>', 'column to compare, e.g. worst_heldout or best_heldout_return', 'heldout_return')
    .option('--baseline <variant>', 'compare all others with this variant; the first one when left out')
    .option('--profile', 'the share of runs above each of many thresholds instead', false)
    .addOption(outputOption(['table', 'json', 'csv', 'markdown', 'latex'], 'table'))
    .addHelpText(
      'after',
      examples(
        'thaw compare @latest',
        'thaw compare demo --baseline frozen --metric worst_heldout',
        'thaw compare demo --profile -o csv',
        'thaw compare spread-collapse spread-retry --baseline spread-collapse/pool -o markdown',
      ),
    )
    .action(async (ids: readonly string[], { metric, baseline, profile, output }: Options) => {
      const { compareExperiments } = await import('../comparison/compare.ts');
      await compareExperiments(ids, { metric, baseline, isProfile: profile, format: output });
    });
}
