import { Command, InvalidArgumentError, Option } from 'commander';
import {
  environmentOption,
  examples,
  jsonArgument,
  outputOption,
  setOption,
  TARGET_HELP,
  wholeNumber,
  withEnvironment,
} from './command-options.ts';
import type { ListingFormat } from '../table-formats/listing.ts';

interface Options {
  readonly family: string;
  readonly options: unknown;
  readonly environment?: string;
  readonly variant?: string;
  readonly seed?: number;
  readonly candidates: boolean;
  readonly distances: boolean;
  readonly by: 'simulator' | 'round';
  readonly output: ListingFormat;
}

export function simulatorsCommand(): Command {
  return new Command('simulators')
    .summary('list built-in simulators, or where those of an experiment came from')
    .description(
      'Without a name: the catalogue of a family. With the name of a built-in simulator: its data, every default ' +
        'written out. With an experiment: what went on in the pools of its runs, a line for each. With a run, a variant ' +
        'or a seed: its simulators as a tree, children under what they were made of, each with the rounds that trained ' +
        'on it, what it taught (mean training return in the first and in the last of them), why it came and why it ' +
        'left. With a run and one of its simulators: why that one is in the pool, and the failure it goes back to.',
    )
    .addCommand(returnsCommand())
    .addCommand(distanceCommand())
    .addCommand(perturbedCommand())
    .argument('[name]', `name of a built-in simulator; or ${TARGET_HELP}`)
    .argument('[simulator]', 'one simulator of the runs')
    .option('--family <family>', 'the world of the catalogue', 'simple_spread')
    .option('--options <json>', 'options of the family, e.g. \'{"agents": 2}\'', jsonArgument, {})
    .addOption(environmentOption())
    .option('--variant <name>', 'runs of this variant only')
    .option('--seed <n>', 'runs of this seed only', wholeNumber)
    .option('--candidates', 'also those that were refused, with scores and why', false)
    .option(
      '--distances',
      'the distance of each to the nearest test simulator, by `diversity.metric` of the spec: worked out now, for you ' +
        'alone; it is stored nowhere, and no strategy sees it',
      false,
    )
    .addOption(
      new Option('--by <what>', 'rows for every simulator, or for every round and simulator of its pool')
        .choices(['simulator', 'round'])
        .default('simulator'),
    )
    .addOption(outputOption(['table', 'json', 'csv'], 'table'))
    .addHelpText(
      'after',
      examples(
        'thaw simulators',
        'thaw simulators sim_b',
        'thaw simulators @latest --variant pool --seed 0',
        'thaw simulators @latest/pool/0 left~3',
        'thaw simulators @latest --distances --candidates -o csv',
        'thaw simulators @latest --by round -o csv',
      ),
    )
    .action(async (name: string | undefined, simulator: string | undefined, options: Options, command: Command) => {
      const { family, output: format, variant, seed, by, candidates, distances } = options;
      const familyOptions = withEnvironment(options.options, options.environment);
      if (by === 'round' && (candidates || distances || simulator !== undefined)) {
        command.error('error: --by round lists pools alone, without --candidates, --distances or a simulator');
      }
      const { showSimulators } = await import('../simulators/show-simulators.ts');
      if (showSimulators(name, { family, options: familyOptions, format })) {
        const { noteImportsOf } = await import('../imports/note-imports.ts');
        if (name === undefined && format === 'table') await noteImportsOf(family);
        return;
      }
      const { showLineage } = await import('../lineage/show-lineage.ts');
      await showLineage(name!, { variant, seed, simulator, by, candidates, distances, format });
    });
}

interface ReturnsOptions {
  readonly set: readonly string[];
  readonly output: ListingFormat;
}

function returnsCommand(): Command {
  return new Command('returns')
    .summary('what chance and a scripted policy get in the simulators of an experiment')
    .description(
      'Plays the random policy and the scripted reference of the family on the seats of the learners, in every simulator ' +
        'of an experiment file: what a trained policy should be compared with. Partners that are policies act at random. ' +
        'Starts nothing.',
    )
    .argument('<file>', 'experiment file')
    .addOption(setOption())
    .addOption(outputOption(['table', 'json', 'csv'], 'table'))
    .addHelpText('after', examples('thaw simulators returns experiments/demo.json'))
    .action(async (file: string, { set, output }: ReturnsOptions) => {
      const { showReturns } = await import('../simulators/show-returns.ts');
      process.exitCode = await showReturns(file, set, output);
    });
}

interface DistanceOptions {
  readonly family: string;
  readonly options: unknown;
  readonly environment?: string;
  readonly set: readonly string[];
  readonly output: 'table' | 'json';
}

function distanceCommand(): Command {
  return new Command('distance')
    .summary('how far simulators are from each other')
    .description(
      'Plays a random and a scripted policy in every simulator of an experiment file, or of a catalogue, and prints ' +
        'their distances by three metrics, the floors, and the pairs below all of them. Starts nothing.',
    )
    .argument('[file]', 'experiment file; the catalogue of the family when left out')
    .option('--family <family>', 'the world of the catalogue', 'simple_spread')
    .option('--options <json>', 'options of the family, e.g. \'{"agents": 2}\'', jsonArgument, {})
    .addOption(environmentOption())
    .addOption(setOption())
    .addOption(outputOption(['table', 'json'], 'table'))
    .addHelpText(
      'after',
      examples('thaw simulators distance experiments/demo.json', 'thaw simulators distance --family simple_spread'),
    )
    .action(async (file: string | undefined, { family, environment, set, output, ...rest }: DistanceOptions) => {
      const options = withEnvironment(rest.options, environment);
      const { showCatalogueDistances, showFileDistances } = await import('../simulators/show-distances.ts');
      if (file === undefined) showCatalogueDistances(family, options, output);
      else process.exitCode = await showFileDistances(file, set, output);
    });
}

interface PerturbedOptions {
  readonly family: string;
  readonly options: unknown;
  readonly environment?: string;
  readonly scales: readonly number[];
}

function perturbedCommand(): Command {
  return new Command('perturbed')
    .summary('a simulator with each of its rules scaled, as JSON for a spec')
    .description(
      'Prints a simulator once for every real rule that is not 0 and every scale, clipped to the range of the rule, as ' +
        'JSON to paste into the `simulators` of an experiment.',
    )
    .argument('<name|file>', 'a built-in simulator, or a file with one as specs write it')
    .option('--family <family>', 'the world', 'simple_spread')
    .option('--options <json>', 'options of the family, e.g. \'{"agents": 2}\'', jsonArgument, {})
    .addOption(environmentOption())
    .option('--scales <factors>', 'factors, separated by commas', parseScales, [0.8, 0.95, 1.05, 1.2])
    .addHelpText('after', examples('thaw simulators perturbed base', 'thaw simulators perturbed sim_b --scales 0.5,2'))
    .action(async (simulator: string, { environment, ...rest }: PerturbedOptions) => {
      const { showPerturbed } = await import('../simulators/show-perturbed.ts');
      await showPerturbed(simulator, { ...rest, options: withEnvironment(rest.options, environment) });
    });
}

function parseScales(text: string): readonly number[] {
  const scales = text.split(',').map((part) => (part.trim() === '' ? NaN : Number(part)));
  if (!scales.every((scale) => Number.isFinite(scale) && scale > 0)) {
    throw new InvalidArgumentError('Expected numbers above 0, separated by commas.');
  }
  return scales;
}
