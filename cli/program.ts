import { Command } from 'commander';
import { examples } from './commands/command-options.ts';
import { completionCommand } from './commands/completion.ts';
import { helpCommand } from './commands/help.ts';
import { COMMANDS } from './commands/index.ts';
import { programVersion } from './program-version.ts';
import { visibleOn } from './terminal/terminal.ts';
import { groupOfVerb, rankOfVerb } from './commands/verb-groups.ts';

const EXIT_CODES = `
Exit codes: 0 done, and every run succeeded; 1 a fault of Thaw; 2 the request is wrong; 3 a service or the disk failed;
4 finished, but some run did not succeed; 130 left with Ctrl-C.`;

/** The command line: every verb of the list, none of whose code is loaded before it is called. */
export function createProgram(): Command {
  const program = new Command('thaw')
    .description(
      'Trains teams of agents in simulators, evaluates them on simulators they never trained on, and answers with a ' +
        'seed × variant table. Experiments are JSON files: `thaw init` writes one, `thaw explain` tells its keys.',
    )
    .version(programVersion(), '-V, --version', 'print the version')
    .helpCommand(false)
    .showSuggestionAfterError(true)
    .showHelpAfterError('(thaw help lists the verbs)')
    .exitOverride()
    // Environments in Python are families like others, to every verb that reads a spec.
    .hook('preAction', async () => (await import('./simulators/bridged-families.ts')).addBridgedFamilies())
    .configureOutput({ writeErr: (text) => process.stderr.write(visibleOn(process.stderr, text)) })
    // Options that stand after a verb are that verb's, also where verbs have verbs of their own.
    .enablePositionalOptions()
    .addHelpText('after', EXIT_CODES)
    .addHelpText(
      'after',
      examples('thaw init', 'thaw run experiments/demo.json', 'thaw results @latest', 'thaw help results'),
    );
  const commands = [...COMMANDS.map((create) => create()), completionCommand(program), helpCommand(program)];
  for (const command of commands.sort((a, b) => rankOfVerb(a.name()) - rankOfVerb(b.name()))) {
    command.copyInheritedSettings(program).helpGroup(`${groupOfVerb(command.name())}:`);
    command.showHelpAfterError(`(thaw help ${command.name()} tells more)`);
    for (const inner of command.commands) {
      inner.copyInheritedSettings(command);
      inner.showHelpAfterError(`(thaw help ${command.name()} ${inner.name()} tells more)`);
    }
    program.addCommand(command, { hidden: HIDDEN.includes(command.name()) });
  }
  return program;
}

/** Verbs that only Thaw itself calls. */
const HIDDEN: readonly string[] = ['supervisor'];
