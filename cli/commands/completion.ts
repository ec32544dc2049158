import { Argument, Command } from 'commander';
import { examples } from './command-options.ts';

export function completionCommand(program: Command): Command {
  return new Command('completion')
    .summary('print what makes a shell complete verbs, options, choices, files and ids')
    .description(
      'Prints a script for a shell; its first lines say how to have it in every shell. It completes verbs, options and ' +
        'their choices, files, and ids of experiments where the services run already. It works where the program is called ' +
        'by the name thaw. `ids` prints the ids, which is what the script calls; it starts nothing.',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish', 'ids']))
    .addHelpText(
      'after',
      examples(
        'thaw completion bash',
        'thaw completion zsh > ~/.zfunc/_thaw',
        'thaw completion fish > ~/.config/fish/completions/thaw.fish',
      ),
    )
    .action(async (shell: string) => {
      if (shell === 'ids') {
        const { printIds } = await import('../completion/print-ids.ts');
        return printIds();
      }
      const { printCompletion } = await import('../completion/print-completion.ts');
      printCompletion(shell, program);
    });
}
