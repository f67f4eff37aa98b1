import type { Command } from 'commander';

/** Shells that complete commands. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Each asks the program itself what may come next. */
const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_capstan() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(capstan complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _capstan capstan
`,
  zsh: `#compdef capstan
_capstan() {
  local -a found
  found=("\${(@f)$(capstan complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a found
}
compdef _capstan capstan
`,
  fish: `complete -c capstan -f -a '(capstan complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
};

export function completionScript(shell: Shell): string {
  return SCRIPTS[shell];
}

/** Words that may stand in place of the last one. Pure. */
export function completions(program: Command, words: readonly string[]): string[] {
  const last = words.at(-1) ?? '';
  const [command, option] = placeOf(program, words.slice(0, -1));
  if (option !== null) return matching(option, last);
  const options = [...command.options, ...(command === program ? [] : program.options)].flatMap(
    ({ long }) => long ?? [],
  );
  const commands = command.commands.map((each) => each.name()).filter((name) => name !== 'complete');
  const [argument] = command.registeredArguments;
  return matching(last.startsWith('-') ? options : [...commands, ...(argument?.argChoices ?? [])], last);
}

/** The command that the words lead to, and the values of an option that waits for one. */
function placeOf(program: Command, words: readonly string[]): [Command, readonly string[] | null] {
  let command = program;
  let values: readonly string[] | null = null;
  for (const word of words) {
    if (values !== null) {
      values = null;
      continue;
    }
    const known = [...command.options, ...program.options].find(
      ({ long, short }) => word === long || word === short,
    );
    if (known !== undefined && !known.isBoolean()) values = known.argChoices ?? [];
    command = command.commands.find((each) => each.name() === word) ?? command;
  }
  return [command, values];
}

function matching(words: readonly string[], beginning: string): string[] {
  return words.filter((word) => word.startsWith(beginning));
}
