import { Command, InvalidArgumentError } from 'commander';
import { examples, ID_HELP, jsonArgument, outputOption, setOption } from '../command-options.ts';
import type { ListingFormat } from '../listing.ts';

interface Options {
  readonly family: string;
  readonly options: unknown;
  readonly output: ListingFormat;
}

export function simulatorsCommand(): Command {
  return new Command('simulators')
    .summary('list built-in simulators, or the pools of an experiment')
    .description(
      'Without a name: the catalogue of a family. With the name of a built-in simulator: its data, every default ' +
        'written out. With an experiment: the simulators that its runs trained on, by round.',
    )
    .addCommand(returnsCommand())
    .addCommand(distanceCommand())
    .addCommand(perturbedCommand())
    .argument('[name]', `name of a built-in simulator; or ${ID_HELP}`)
    .option('--family <family>', 'the world', 'simple_spread')
    .option('--options <json>', 'options of the family, e.g. \'{"agents": 2}\'', jsonArgument, {})
    .addOption(outputOption(['table', 'json', 'csv'], 'table'))
    .addHelpText('after', examples('thaw simulators', 'thaw simulators sim_b', 'thaw simulators @latest -o csv'))
    .action(async (name: string | undefined, { family, options, output }: Options) => {
      const { showSimulators } = await import('../show-simulators.ts');
      process.exitCode = await showSimulators(name, { family, options, format: output });
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
      const { showReturns } = await import('../show-returns.ts');
      process.exitCode = await showReturns(file, set, output);
    });
}

interface DistanceOptions {
  readonly family: string;
  readonly options: unknown;
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
    .addOption(setOption())
    .addOption(outputOption(['table', 'json'], 'table'))
    .addHelpText(
      'after',
      examples('thaw simulators distance experiments/demo.json', 'thaw simulators distance --family simple_spread'),
    )
    .action(async (file: string | undefined, { family, options, set, output }: DistanceOptions) => {
      const { showCatalogueDistances, showFileDistances } = await import('../show-distances.ts');
      if (file === undefined) showCatalogueDistances(family, options, output);
      else process.exitCode = await showFileDistances(file, set, output);
    });
}

interface PerturbedOptions {
  readonly family: string;
  readonly options: unknown;
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
    .option('--scales <factors>', 'factors, separated by commas', parseScales, [0.8, 0.95, 1.05, 1.2])
    .addHelpText('after', examples('thaw simulators perturbed base', 'thaw simulators perturbed sim_b --scales 0.5,2'))
    .action(async (simulator: string, options: PerturbedOptions) => {
      const { showPerturbed } = await import('../show-perturbed.ts');
      await showPerturbed(simulator, options);
    });
}

function parseScales(text: string): readonly number[] {
  const scales = text.split(',').map((part) => (part.trim() === '' ? NaN : Number(part)));
  if (!scales.every((scale) => Number.isFinite(scale) && scale > 0)) {
    throw new InvalidArgumentError('Expected numbers above 0, separated by commas.');
  }
  return scales;
}
