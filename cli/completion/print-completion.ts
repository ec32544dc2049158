import type { Command } from 'commander';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { explainedSchema } from '../explain/spec-schema.ts';
import { keysOf, propertiesOf } from '../explain/find-part.ts';
import { OFFERED_STRATEGIES } from '../init/start-document.ts';
import { print } from '../terminal/terminal.ts';
import { bashScript } from './bash-script.ts';
import { completionTree, type CompletedVerb, type NamedChoices } from './completion-tree.ts';
import { fishScript } from './fish-script.ts';
import { zshScript } from './zsh-script.ts';

const SCRIPTS: Readonly<Record<string, (tree: readonly CompletedVerb[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export function printCompletion(shell: string, program: Command): void {
  print(completionScript(shell, program).trimEnd());
}

/** The script of a shell, with everything that is known without asking: only ids are asked for when they are wanted. */
export function completionScript(shell: string, program: Command): string {
  return SCRIPTS[shell]!(completionTree(program, namedChoices(program)));
}

function namedChoices(program: Command): NamedChoices {
  const { families } = DEFAULT_REGISTRIES;
  const verbs = program
    .createHelp()
    .visibleCommands(program)
    .map((command) => command.name());
  return {
    family: Object.keys(families),
    strategies: Object.keys(OFFERED_STRATEGIES),
    key: specKeys(),
    verb: verbs,
  };
}

/** Keys of a spec, and those within them. */
function specKeys(): string[] {
  const schema = explainedSchema(Object.keys(DEFAULT_REGISTRIES.families)[0]!, DEFAULT_REGISTRIES);
  return Object.entries(propertiesOf(schema))
    .filter(([key]) => !key.startsWith('$'))
    .flatMap(([key, inner]) => [key, ...keysOf(inner).map((name) => `${key}.${name}`)]);
}
