import { Command, InvalidArgumentError, Option } from 'commander';
import type { RoundChoice } from '../../learning/results/round-choice.ts';
import type { Dimension } from '../../learning/results/shapes/shape.ts';
import { examples, ID_HELP, outputOption } from './command-options.ts';
import type { ResultsOptions } from '../results/results-options.ts';

const SHAPES = ['runs', 'long', 'wide', 'fold'] as const;
const OTHER_VIEWS = ['curve', 'sensitivity', 'threshold', 'per'] as const;

const EXAMPLES = [
  'thaw results @latest',
  'thaw results @latest --metric relative_gap -o json',
  "thaw results demo --where 'variant=pool*' --where 'heldout_return>-40' --sort -heldout_return",
  'thaw results demo --columns state,heldout_return,relative_gap,verdict',
  'thaw results demo --fold --metric heldout_return,relative_gap -o latex',
  'thaw results demo --long --metric heldout_return,train_return -o csv',
  'thaw results demo --wide --round best -o markdown',
  'thaw results demo --curve -o csv',
  'thaw results demo --sensitivity',
  'thaw results demo --threshold=-21',
  'thaw results demo --per simulator --panel test --fold',
];

export function resultsCommand(): Command {
  const command = new Command('results')
    .summary('print the seed × variant table')
    .description(
      'Prints what an experiment has measured so far: a line for every variant, and a metric by seed and variant. JSON ' +
        'and CSV have every run whatever its state, in full precision; Markdown and LaTeX are rounded for a paper. Columns ' +
        'describe the last checkpoint, those with best_ the one that was best on validation.',
    )
    .argument('<id>', ID_HELP)
    .option(
      '--metric <metrics>',
      'what to show, e.g. relative_gap or best_heldout_return; several with commas (default: heldout_return)',
      listed,
    )
    .option('--by <keys>', 'seed,variant or variant,seed or one of the two (default: seed,variant)', parseBy)
    .addOption(view('--runs', 'a row a run, with the columns you choose'))
    .addOption(view('--long', 'a row a run and metric'))
    .addOption(view('--wide', 'a row a seed and a column a variant'))
    .addOption(view('--fold', 'a row a variant: n, mean ± std, IQM, median and 95 % interval over seeds', ['per']))
    .addOption(view('--curve', 'every evaluated round of every run: how returns went on the way'))
    .addOption(view('--sensitivity', 'what the last policies depend on: each rule scaled, each partner in turn'))
    .addOption(
      view('--threshold <return>', 'after how many env steps each run first held out this return').argParser(
        parseReturn,
      ),
    )
    .addOption(view('--per <what>', 'what each run got on every simulator', ['fold']).choices(['simulator']))
    .addOption(
      new Option('--panel <panel>', 'with --per simulator: of this panel alone')
        .implies({ per: 'simulator' })
        .choices(['train', 'validation', 'test']),
    )
    .option(
      '--where <condition>',
      'only rows of which this holds: = != < <= > >=, * in texts, null, NaN; several must all hold',
      repeated,
    )
    .option('--sort <columns>', 'order of the rows, -column for the largest first; NaN and missing come last', listed)
    .option('--columns <columns>', 'columns to show, or -column to hide one', listed)
    .option(
      '--round <round>',
      'last, best (on validation), or a number of completed rounds (default: last)',
      parseRound,
    )
    .addOption(
      new Option(
        '--spread <what>',
        'with --fold and several metrics: beside each mean its std or its interval',
      ).choices(['std', 'interval']),
    )
    .addOption(outputOption(['table', 'json', 'csv', 'markdown', 'latex'], 'table'))
    .addHelpText('after', examples(...EXAMPLES));
  return command.action(async (id: string, options: ResultsOptions) => {
    const { showChosen } = await import('../results/results-options.ts');
    await showChosen(id, options);
  });
}

/** An option that chooses what is shown: one of them at a time. @param goesWith those that it may stand beside */
function view(flags: string, description: string, goesWith: readonly string[] = []): Option {
  const option = new Option(flags, description);
  const others = [...SHAPES, ...OTHER_VIEWS].filter(
    (name) => name !== option.attributeName() && !goesWith.includes(name),
  );
  return option.conflicts(others);
}

/** Names with commas, or the option again. */
function listed(text: string, previous: readonly string[] = []): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('Expected names with commas between them.');
  return [...previous, ...names];
}

function repeated(text: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, text];
}

function parseReturn(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('Expected a return, e.g. -21.5.');
  return value;
}

function parseRound(text: string): RoundChoice {
  if (text === 'last' || text === 'best') return text;
  if (!/^[0-9]{1,9}$/.test(text)) {
    throw new InvalidArgumentError('Expected last, best or a number of completed rounds, e.g. 10.');
  }
  return Number(text);
}

function parseBy(text: string): readonly Dimension[] {
  const keys = text.split(',');
  const isKnown = keys.every((key) => key === 'seed' || key === 'variant');
  if (!isKnown || keys.length > 2 || new Set(keys).size < keys.length) {
    throw new InvalidArgumentError('Expected seed,variant or variant,seed or one of the two.');
  }
  return keys;
}
