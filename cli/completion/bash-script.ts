import { verbSteps, type CompletedVerb, type Values } from './completion-tree.ts';
import { shellWord } from './shell-word.ts';

/** Completion for bash, of 4.4 and later. */
export function bashScript(tree: readonly CompletedVerb[]): string {
  const steps = verbSteps(tree).map(
    ({ above, name, path }) => `      ${shellWord(`${above}>${name}`)}) verb=${shellWord(path)} ;;`,
  );
  const values = tree.flatMap(({ path, options }) =>
    options.flatMap(({ flags, values: of }) => {
      if (of === null) return [];
      const pattern = flags.map((flag) => shellWord(`${path}>${flag}`)).join('|');
      return [`    ${pattern}) ${reply(of)} return ;;`];
    }),
  );
  const verbs = tree.map(({ path, options, argument, verbs: inner }) => {
    const flags = options.flatMap((option) => option.flags).join(' ');
    const names = inner.map(({ name }) => name).join(' ');
    const given = [...(names === '' ? [] : [words(names)]), ...(argument === null ? [] : [reply(argument)])].join(' ');
    return `    ${shellWord(path)}) if [[ $cur == -* ]]; then ${words(flags)} else ${given === '' ? ':;' : given} fi ;;`;
  });
  return `# Completion of thaw for bash. To have it in every shell:
#   thaw completion bash > ~/.local/share/bash-completion/completions/thaw
# or, without the package bash-completion, this line in ~/.bashrc:
#   source <(thaw completion bash)
_thaw() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} verb='' i
  # \`--output=json\` is three words here.
  if [[ $cur == '=' ]]; then cur=''; elif [[ $prev == '=' ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$verb>\${COMP_WORDS[i]}" in
${steps.join('\n')}
    esac
  done
  COMPREPLY=()
  case "$verb>$prev" in
${values.join('\n')}
  esac
  case "$verb" in
${verbs.join('\n')}
  esac
}
# Asked only where the services run already, and not for long.
_thaw_ids() { timeout 3 "\${COMP_WORDS[0]}" completion ids 2>/dev/null; }
complete -F _thaw thaw
`;
}

function reply(values: Values): string {
  switch (values.kind) {
    case 'choices':
      return words(values.choices.join(' '));
    case 'file':
      return 'compopt -o filenames; mapfile -O "${#COMPREPLY[@]}" -t COMPREPLY < <(compgen -f -- "$cur");';
    case 'id':
      return 'mapfile -O "${#COMPREPLY[@]}" -t COMPREPLY < <(compgen -W "$(_thaw_ids)" -- "$cur");';
    case 'any':
      return ':;';
  }
}

function words(list: string): string {
  return `mapfile -O "\${#COMPREPLY[@]}" -t COMPREPLY < <(compgen -W ${shellWord(list)} -- "$cur");`;
}
