import { Argument, type Command } from 'commander';
import { completions, completionScript, SHELLS, type Shell } from '../completion.js';
import type { Act } from '../act.js';
import { EXIT } from '../exit-codes.js';

export function addCompletionCommands(program: Command, act: Act): void {
  program
    .command('completion')
    .description('print the script that completes commands: source <(capstan completion bash)')
    .addArgument(new Argument('<shell>', 'shell').choices(SHELLS))
    .action(
      act(async (session, shell: Shell) => {
        session.surroundings.write(completionScript(shell));
        return Promise.resolve(EXIT.done);
      }),
    );

  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(
      act(async (session, words: string[]) => {
        const found = completions(program, words);
        session.surroundings.write(found.map((word) => `${word}\n`).join(''));
        return Promise.resolve(EXIT.done);
      }),
    );
}
