import { verbSteps, type CompletedVerb, type Values } from './completion-tree.ts';
import { shellWord } from './shell-word.ts';

/** Completion for zsh, with what each verb and option does. */
export function zshScript(tree: readonly CompletedVerb[]): string {
  const steps = verbSteps(tree).map(
    ({ above, name, path }) => `      ${shellWord(`${above}>${name}`)}) verb=${shellWord(path)} ;;`,
  );
  const values = tree.flatMap(({ path, options }) =>
    options.flatMap(({ flags, values: of }) => {
      if (of === null) return [];
      return [`    ${flags.map((flag) => shellWord(`${path}>${flag}`)).join('|')}) ${reply(of)}; return ;;`];
    }),
  );
  const verbs = tree.map(({ path, options, argument, verbs: inner }) => {
    const described = options.flatMap(({ flags, description }) => flags.map((flag) => entry(flag, description)));
    const named = inner.map(({ name, summary }) => entry(name, summary));
    return [
      `    ${shellWord(path)})`,
      `      if [[ $words[CURRENT] == -* ]]; then items=(${described.join(' ')}); _describe option items`,
      `      else items=(${named.join(' ')}); (( $#items )) && _describe verb items; ${argument === null ? ':' : reply(argument)}; fi ;;`,
    ].join('\n');
  });
  return `#compdef thaw
# Completion of thaw for zsh. To have it in every shell, with a folder of $fpath:
#   thaw completion zsh > "\${fpath[1]}/_thaw"
# or this line in ~/.zshrc, after compinit:
#   source <(thaw completion zsh)
_thaw() {
  local verb='' i
  local -a items
  for ((i = 2; i < CURRENT; i++)); do
    case "$verb>$words[i]" in
${steps.join('\n')}
    esac
  done
  case "$verb>$words[CURRENT-1]" in
${values.join('\n')}
  esac
  case "$verb" in
${verbs.join('\n')}
  esac
}
# Asked only where the services run already, and not for long.
_thaw_ids() { compadd -- \${(f)"$(timeout 3 $words[1] completion ids 2>/dev/null)"} }
compdef _thaw thaw
`;
}

function reply(values: Values): string {
  switch (values.kind) {
    case 'choices':
      return `compadd -- ${values.choices.map(shellWord).join(' ')}`;
    case 'file':
      return '_files';
    case 'id':
      return '_thaw_ids';
    case 'any':
      return ':';
  }
}

/** \`name:what it does\`, in which a colon of the name would end it. */
function entry(name: string, description: string): string {
  return shellWord(`${name.replaceAll(':', '\\:')}:${description}`);
}
