import { Command, InvalidArgumentError, Option } from 'commander';
import { examples, ID_HELP, outputOption } from '../command-options.ts';
import type { PanelName } from '../../schemas/resolved-experiment.ts';
import type { ListingFormat } from '../listing.ts';
import type { Dimension } from '../results-table.ts';

interface Options {
  readonly metric: string;
  readonly by: readonly Dimension[];
  readonly curve: boolean;
  readonly sensitivity: boolean;
  readonly threshold?: number;
  readonly per?: 'simulator';
  readonly panel?: PanelName;
  readonly output: ListingFormat;
}

export function resultsCommand(): Command {
  return new Command('results')
    .summary('print the seed × variant table')
    .description(
      'Prints what an experiment has measured so far: a line for every variant, and a metric by seed and variant. JSON ' +
        'and CSV have every run whatever its state, in full precision. Columns describe the last checkpoint, those ' +
        'with best_ the one that was best on validation.',
    )
    .argument('<id>', ID_HELP)
    .option('--metric <metric>', 'column to summarize, e.g. relative_gap or best_heldout_return', 'heldout_return')
    .option('--by <keys>', 'seed,variant or variant,seed or one of the two', parseBy, ['seed', 'variant'])
    .option('--curve', 'every evaluated round of every run instead: how returns went on the way', false)
    .addOption(
      new Option('--sensitivity', 'what the last policies depend on instead: each rule scaled, each partner in turn')
        .conflicts('curve')
        .default(false),
    )
    .addOption(
      new Option('--threshold <return>', 'after how many env steps each run first held out this return, instead')
        .conflicts(['curve', 'sensitivity'])
        .argParser(parseReturn),
    )
    .addOption(
      new Option('--per <what>', 'what each run got on every simulator at its end instead')
        .conflicts(['curve', 'sensitivity', 'threshold'])
        .choices(['simulator']),
    )
    .addOption(
      new Option('--panel <panel>', 'with --per simulator: of this panel alone')
        .implies({ per: 'simulator' })
        .choices(['train', 'validation', 'test']),
    )
    .addOption(outputOption(['table', 'json', 'csv'], 'table'))
    .addHelpText(
      'after',
      examples(
        'thaw results @latest',
        'thaw results @latest --metric relative_gap -o json',
        'thaw results demo --by variant',
        'thaw results demo --curve -o csv',
        'thaw results demo --sensitivity',
        'thaw results demo --threshold=-21',
        'thaw results demo --per simulator --panel test -o csv',
      ),
    )
    .action(async (id: string, { metric, by, curve, sensitivity, threshold, per, panel, output }: Options) => {
      if (per !== undefined) {
        const { showSimulatorReturns } = await import('../show-simulator-returns.ts');
        return showSimulatorReturns(id, panel ?? null, output);
      }
      if (threshold !== undefined) {
        const { showThreshold } = await import('../show-threshold.ts');
        return showThreshold(id, threshold, output);
      }
      if (curve) {
        const { showCurve } = await import('../show-curve.ts');
        return showCurve(id, output);
      }
      if (sensitivity) {
        const { showSensitivity } = await import('../show-sensitivity.ts');
        return showSensitivity(id, output);
      }
      const { showResults } = await import('../show-results.ts');
      await showResults(id, { metric, by, format: output });
    });
}

function parseReturn(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('Expected a return, e.g. -21.5.');
  return value;
}

function parseBy(text: string): readonly Dimension[] {
  const keys = text.split(',');
  const isKnown = keys.every((key) => key === 'seed' || key === 'variant');
  if (!isKnown || keys.length > 2 || new Set(keys).size < keys.length) {
    throw new InvalidArgumentError('Expected seed,variant or variant,seed or one of the two.');
  }
  return keys;
}
