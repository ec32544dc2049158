import { Command, InvalidArgumentError, Option } from 'commander';
import { examples, ID_HELP, outputOption } from './command-options.ts';
import { EXPORT_FORMAT_NAMES, type ExportFormatName } from '../export/format-names.ts';

interface Options {
  readonly format: readonly ExportFormatName[];
  readonly force: boolean;
  readonly output: 'table' | 'json';
}

export function exportCommand(): Command {
  return new Command('export')
    .summary('write everything that is known of experiments into files for other programs')
    .description(
      'Writes all rows of one or several experiments into a folder, in full precision and never shortened: csv, json and ' +
        'parquet hold the same tables, a file each, with runs (the result table), rounds, evaluations, every episode, pools, ' +
        'simulators, failures, attempts and the log. marl-eval is the JSON that the package of this name reads, onnx the ' +
        'policies with an example of their use in Python, tensorboard the event files of every run, wandb ' +
        'offline runs for `wandb sync`. A file appears whole or not at all. A folder that holds an earlier export is written anew.',
    )
    .usage('[options] <id...> <folder>')
    .argument('<names...>', `${ID_HELP}; one or several, and last the folder`)
    .addOption(
      new Option('--format <formats>', `one or several of ${EXPORT_FORMAT_NAMES.join(', ')}`)
        .argParser(parseFormats)
        .default(['csv'], 'csv'),
    )
    .option('--force', 'also into a folder that holds something else', false)
    .addOption(outputOption(['table', 'json'], 'table'))
    .addHelpText(
      'after',
      examples(
        'thaw export @latest results/demo',
        'thaw export @latest --format parquet,tensorboard results/demo',
        'thaw export spread-a spread-b --format marl-eval -o json results/paper',
        'thaw export demo --format onnx results/policies',
      ),
    )
    .action(async (names: readonly string[], { format, force, output }: Options, command: Command) => {
      const folder = names.at(-1)!;
      const ids = names.slice(0, -1);
      if (ids.length === 0) command.error(`error: name an experiment and, last, a folder; "${folder}" is all there is`);
      const { exportExperiments } = await import('../export/export-experiments.ts');
      await exportExperiments({ ids, folder, formats: format, force, output });
    });
}

function parseFormats(text: string): ExportFormatName[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !(EXPORT_FORMAT_NAMES as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new InvalidArgumentError(`"${unknown}" is none. Formats are ${EXPORT_FORMAT_NAMES.join(', ')}.`);
  }
  return [...new Set(names)] as ExportFormatName[];
}
