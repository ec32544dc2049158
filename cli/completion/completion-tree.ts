import type { Command } from 'commander';

/** What may stand in a place of the command line. */
export type Values =
  | { readonly kind: 'choices'; readonly choices: readonly string[] }
  | { readonly kind: 'file' }
  /** Ids of experiments. */
  | { readonly kind: 'id' }
  /** Nothing that is known beforehand. */
  | { readonly kind: 'any' };

export interface CompletedOption {
  /** `--output` and `-o`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Null where it takes no value. */
  readonly values: Values | null;
}

export interface CompletedVerb {
  /** What is typed after `thaw`: `simulators returns`; empty for the program itself. */
  readonly path: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** Of its first argument; others are taken to be like it. */
  readonly argument: Values | null;
  /** Verbs within it, by name. */
  readonly verbs: readonly { readonly name: string; readonly summary: string }[];
}

/** Choices that no option lists, by the name of the placeholder of an option or an argument. */
export type NamedChoices = Readonly<Record<string, readonly string[]>>;

/** Every verb of a program that may be called, the program itself first. */
export function completionTree(program: Command, named: NamedChoices): CompletedVerb[] {
  return verbsBelow(program, '', named);
}

function verbsBelow(command: Command, path: string, named: NamedChoices): CompletedVerb[] {
  const helper = command.createHelp();
  const inner = helper.visibleCommands(command).filter((each) => command.commands.includes(each));
  const options = helper.visibleOptions(command).map((option) => ({
    flags: [option.long, option.short].filter((flag) => typeof flag === 'string'),
    description: option.description,
    values: option.required || option.optional ? valuesOf(option.flags, option.argChoices, named) : null,
  }));
  const argument = command.registeredArguments[0];
  const verb: CompletedVerb = {
    path,
    summary: command.summary(),
    options,
    argument: argument === undefined ? null : valuesOf(argument.name(), argument.argChoices, named),
    verbs: inner.map((each) => ({ name: each.name(), summary: each.summary() })),
  };
  const prefix = path === '' ? '' : `${path} `;
  return [verb, ...inner.flatMap((each) => verbsBelow(each, prefix + each.name(), named))];
}

const FILE_WORDS = /^(files?|folder|dir|destination|path|spec)$/;
const ID_WORDS = /^(ids?|run)$/;
/** An argument called a name may be that of an experiment; the name that an option takes is another. */
const ID_ARGUMENTS = /^name$/;

/** What a placeholder asks for: `--policy <file>`, `<files...>`, `<name|file>`, `[id]`. */
function valuesOf(written: string, choices: readonly string[] | undefined, named: NamedChoices): Values {
  if (choices !== undefined) return { kind: 'choices', choices };
  const words = (/[<[]([^>\]]+)[>\]]/.exec(written)?.[1] ?? written).split('|').map((word) => word.replace('...', ''));
  const known = words.find((word) => Object.hasOwn(named, word));
  if (known !== undefined) return { kind: 'choices', choices: named[known]! };
  if (words.some((word) => FILE_WORDS.test(word))) return { kind: 'file' };
  return words.some((word) => ID_WORDS.test(word)) || ID_ARGUMENTS.test(written) ? { kind: 'id' } : { kind: 'any' };
}

/** Names of the verbs that have verbs of their own, with these, so that a script can tell which verb a line is about. */
export function verbSteps(
  tree: readonly CompletedVerb[],
): { readonly above: string; readonly path: string; readonly name: string }[] {
  return tree.flatMap(({ path, verbs }) =>
    verbs.map(({ name }) => ({ above: path, name, path: path === '' ? name : `${path} ${name}` })),
  );
}
