import type { CompletedOption, CompletedVerb, Values } from './completion-tree.ts';

/** Completion for fish, with what each verb and option does. */
export function fishScript(tree: readonly CompletedVerb[]): string {
  const lines = tree.flatMap((verb) => {
    const condition = `-n ${fishWord(`__thaw_at ${verb.path}`.trim())}`;
    const names = verb.verbs.map(({ name, summary }) => `${condition} -a ${name} -d ${fishWord(summary)}`);
    const argument =
      verb.argument === null || verb.argument.kind === 'any' ? [] : [`${condition} ${given(verb.argument)}`];
    return [...names, ...argument, ...verb.options.map((option) => `${condition} ${optionWords(option)}`)];
  });
  const paths = tree.filter(({ path }) => path !== '').map(({ path }) => fishWord(path));
  return `# Completion of thaw for fish. To have it in every shell:
#   thaw completion fish > ~/.config/fish/completions/thaw.fish
function __thaw_at --description 'Whether the line is about this verb'
  set -l verb
  for word in (commandline -opc)[2..]
    contains -- (string join ' ' $verb $word) ${paths.join(' ')}; and set -a verb $word
  end
  test "$verb" = "$argv"
end
# Asked only where the services run already, and not for long.
function __thaw_ids
  timeout 3 (commandline -opc)[1] completion ids 2>/dev/null
end
complete -c thaw -f
${lines.map((line) => `complete -c thaw ${line}`).join('\n')}
`;
}

function optionWords({ flags, description, values }: CompletedOption): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const value = values === null ? [] : ['-r', ...(values.kind === 'any' ? [] : [given(values)])];
  return [...names, ...value, '-d', fishWord(description)].join(' ');
}

function given(values: Values): string {
  switch (values.kind) {
    case 'choices':
      return `-a ${fishWord(values.choices.join(' '))}`;
    case 'file':
      return '-F';
    case 'id':
      return "-a '(__thaw_ids)'";
    case 'any':
      return '';
  }
}

/** A text as one word of fish, whose only escapes within single quotes are those of the quote and the backslash. */
function fishWord(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
