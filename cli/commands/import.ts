import { Command, InvalidArgumentError, Option } from 'commander';
import { examples, jsonArgument, outputOption, wholeNumber } from './command-options.ts';
import type { GivenClaims, ImportRequest } from '../imports/import-request.ts';
import type { ListingFormat } from '../table-formats/listing.ts';

interface Options extends GivenClaims, Omit<ImportRequest, 'file' | 'name' | 'claims' | 'starts' | 'partners'> {
  readonly starts?: string;
  readonly partners?: string;
}

export function importCommand(): Command {
  return new Command('import')
    .summary('bring recordings in, as starts and as partners; list and delete what was brought in')
    .description(
      'What was recorded elsewhere, with where it comes from: states that episodes can start from, and partners that ' +
        'imitate what was done. Specs name them import:NAME; everything exported from an experiment that uses one tells it.',
    )
    .addCommand(trajectoriesCommand())
    .addCommand(listImportsCommand())
    .addCommand(showImportCommand())
    .addCommand(deleteImportCommand())
    .addHelpText(
      'after',
      examples(
        'thaw import list',
        'thaw import trajectories recording.jsonl --name near --source "own rollout" --licence CC0-1.0 --personal-data none',
      ),
    );
}

function trajectoriesCommand(): Command {
  return new Command('trajectories')
    .summary('import recorded episodes, JSON lines')
    .description(
      'Imports episodes, one JSON line a step as `thaw rollout --episodes` prints them. Their states become starts, ' +
        '`"scenarios": { "start": "import:NAME/EPISODE@STEP" }`; what each seat did becomes a policy partner, ' +
        '`{ "kind": "policy", "name": "import:NAME/SEAT" }`, by behaviour cloning. Source, licence and what became of ' +
        'personal data have to be said.',
    )
    .argument('<file>', 'JSON lines')
    .option('--family <family>', 'the world it was recorded in', 'simple_spread')
    .option('--options <json>', 'options of the family, e.g. \'{"agents": 2}\'', jsonArgument, {})
    .option('--name <name>', 'what specs call it: import:NAME')
    .option('--source <text>', 'where it comes from: an address, or in words')
    .option('--licence <text>', 'under which licence it may be used, e.g. CC-BY-4.0')
    .option('--personal-data <what>', '"removed", or "none" when there never were any')
    .option(
      '--starts <rule>',
      'states that become starts: first, every:K (steps), low:PERCENT (of the episodes, lowest returns), none; first where states were recorded',
    )
    .option('--partners <seats>', 'seats to clone, e.g. 0,2, or none; all whose observations and actions were recorded')
    .option('--drop-keys <keys>', 'further keys of the lines, separated by commas, which are left out', keyList, [])
    .option('--seed <number>', 'of the cloning: which episodes are held out, and where it begins', wholeNumber, 0)
    .addHelpText(
      'after',
      examples(
        'thaw import trajectories recording.jsonl --family simple_tag --name tags --source https://example.org/tags --licence CC-BY-4.0 --personal-data none',
        'thaw import trajectories players.jsonl --family foraging --name people --source "study 12" --licence "in house" --personal-data removed --drop-keys comment --starts low:10',
      ),
    )
    .action(async (file: string, options: Options, command: Command) => {
      const { checkedClaims, seatsFrom, startRuleFrom } = await import('../imports/import-request.ts');
      const { importTrajectories } = await import('../imports/import-trajectories.ts');
      const starts = options.starts === undefined ? undefined : startRuleFrom(options.starts);
      const partners = options.partners === undefined ? undefined : seatsFrom(options.partners);
      if (starts === null) command.error('error: --starts: expected first, every:K, low:PERCENT (1 … 100) or none');
      if (partners === null) command.error('error: --partners: expected seats separated by commas, e.g. 0,2, or none');
      const { name, claims } = checkedClaims(options);
      process.exitCode = await importTrajectories({ ...options, file, name, claims, starts, partners });
    });
}

function keyList(text: string): readonly string[] {
  const keys = text.split(',').map((key) => key.trim());
  if (keys.includes('')) throw new InvalidArgumentError('Expected keys separated by commas.');
  return keys;
}

function listImportsCommand(): Command {
  return new Command('list')
    .summary('list what was imported, newest first')
    .description('Lists what was imported, newest first, with where it comes from and how many experiments use it.')
    .addOption(outputOption(['table', 'json', 'csv'], 'table'))
    .addHelpText('after', examples('thaw import list'))
    .action(async ({ output }: { output: ListingFormat }) => {
      const { showImports } = await import('../imports/show-imports.ts');
      await showImports(output);
    });
}

function showImportCommand(): Command {
  return new Command('show')
    .summary('show one import with its starts and partners')
    .description('Shows where an import comes from, its starts, and how well its partners imitate.')
    .argument('<name>', 'of the import')
    .addOption(new Option('-o, --output <format>', 'format of the output').choices(['table', 'json']).default('table'))
    .addHelpText('after', examples('thaw import show tags', 'thaw import show tags -o json'))
    .action(async (name: string, { output }: { output: 'table' | 'json' }) => {
      const { showImport } = await import('../imports/show-imports.ts');
      await showImport(name, output);
    });
}

function deleteImportCommand(): Command {
  return new Command('delete')
    .summary('delete an import that no experiment uses')
    .description(
      'Deletes an import with its starts and partners. It is refused while an experiment contains one of them.',
    )
    .argument('<name>', 'of the import')
    .option('--yes', 'do not ask', false)
    .addHelpText('after', examples('thaw import delete tags --yes'))
    .action(async (name: string, { yes }: { yes: boolean }) => {
      const { deleteImportByName } = await import('../imports/show-imports.ts');
      process.exitCode = await deleteImportByName(name, yes);
    });
}
