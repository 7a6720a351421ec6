import { Argument, Command } from 'commander';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

export function completionCommand(): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>', 'for which shell').choices(SHELLS))
    .addHelpText(
      'after',
      '\nIt completes commands, options, servers, tools, runs and capabilities.',
    )
    .action((shell: Shell) => {
      process.stdout.write(SCRIPTS[shell]);
    });
}

/** Each asks `pml __complete` with the words so far; without an answer the shell offers files. */
const SCRIPTS: Readonly<Record<Shell, string>> = {
  // Bash breaks words at a colon, which stands in the id of every tool.
  bash: `# bash completion for pml
_pml() {
  local line="\${COMP_LINE:0:COMP_POINT}" words current colon
  IFS=' ' read -r -a words <<< "$line"
  [[ "$line" == *' ' ]] && words+=('')
  current="\${words[\${#words[@]}-1]}"
  local IFS=$'\\n'
  COMPREPLY=( $(pml __complete "\${words[@]:1}" 2>/dev/null) )
  if [[ "$COMP_WORDBREAKS" == *:* && "$current" == *:* ]]; then
    colon="\${current%"\${current##*:}"}"
    COMPREPLY=( "\${COMPREPLY[@]#"$colon"}" )
  fi
}
complete -o default -F _pml pml
`,
  zsh: `#compdef pml
_pml() {
  local -a found
  found=("\${(@f)$(pml __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then
    compadd -- "\${found[@]}"
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == _pml ]]; then _pml "$@"; else compdef _pml pml; fi
`,
  fish: `# fish completion for pml
complete -c pml -a '(pml __complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
};
