import { Command } from 'commander';
import { examples, ID_HELP, jsonArgument, outputOption } from '../command-options.ts';
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
