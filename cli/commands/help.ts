import { Command } from 'commander';
import { nearestName } from '../../specification/nearest.ts';
import { examples } from './command-options.ts';

/** Shows the help of a verb, or of a verb of a verb; of one that does not exist it names the nearest. */
export function helpCommand(program: Command): Command {
  return new Command('help')
    .summary('show the help of a verb')
    .description('Shows the help of a verb, with its options and examples; without a verb, all verbs.')
    .argument('[verb...]', 'the verb, e.g. results, or simulators returns')
    .addHelpText('after', examples('thaw help results', 'thaw help simulators returns'))
    .action((verbs: readonly string[]) => {
      let command = program;
      for (const verb of verbs) {
        const inner = command.commands.find((each) => each.name() === verb || each.aliases().includes(verb));
        command = inner ?? command.error(unknownVerb(verb, command));
      }
      command.help();
    });
}

function unknownVerb(verb: string, command: Command): string {
  const nearest = nearestName(
    verb,
    command.commands.map((each) => each.name()),
  );
  return `error: unknown command '${verb}'${nearest === undefined ? '' : `\n(Did you mean ${nearest}?)`}`;
}
