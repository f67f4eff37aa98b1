import { Command, CommanderError } from 'commander';
import type { Act } from './act.js';
import { addAdministrationCommands } from './commands/administration.js';
import { addApproveCommand } from './commands/approve.js';
import { addCompletionCommands } from './commands/completion.js';
import { addDoctorCommand } from './commands/doctor.js';
import { addExecutionCommands } from './commands/executions.js';
import { addResourceCommands } from './commands/resources.js';
import { addServiceCommands } from './commands/service.js';
import { addWebhookCommands } from './commands/webhooks.js';
import { EXIT, EXIT_MEANINGS } from './exit-codes.js';
import { explainError } from './explain-error.js';
import { jsonLine, plainText } from './format/plain-text.js';
import { Session } from './session.js';
import type { Surroundings } from './surroundings.js';

const HELP = `
Environment:
  CAPSTAN_BASE_URL   address of the service, by default http://localhost:3000
  CAPSTAN_API_KEY    API key
  NO_COLOR           no colours

Exit codes:
${EXIT_MEANINGS.map(([code, meaning]) => `  ${String(code).padEnd(5)}${meaning}`).join('\n')}
`;

/** The commands; `act` wraps their work. */
export function makeProgram(version: string, act: Act): Command {
  const program = new Command('capstan')
    .description('Run agents of a Capstan service, and look after it.')
    .version(version)
    .option('--base-url <url>', 'address of the service')
    .option('--json', 'answer JSON; lists and events one item a line')
    .addHelpText('after', HELP)
    .showHelpAfterError('(capstan --help shows the commands)')
    .exitOverride();
  addServiceCommands(program, act);
  addExecutionCommands(program, act);
  addApproveCommand(program, act);
  addWebhookCommands(program, act);
  addAdministrationCommands(program, act);
  addResourceCommands(program, act);
  addDoctorCommand(program, act);
  addCompletionCommands(program, act);
  return program;
}

/** Runs a command line; answers the exit code. */
export async function runProgram(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  let exitCode: number = EXIT.done;
  let session: Session | null = null;
  const act: Act =
    (work) =>
    async (...args) => {
      session = new Session(surroundings, program.opts());
      exitCode = await work(session, ...(args as never));
    };
  const program = makeProgram(surroundings.version, act);
  for (const command of [program, ...descendants(program)]) {
    command.configureOutput({
      writeOut: surroundings.write,
      writeErr: surroundings.writeError,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
    command.exitOverride();
  }
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (surroundings.signal.aborted) return EXIT.interrupted;
    return tell(error, session, surroundings);
  }
}

/** Says what went wrong, on the error output. */
function tell(error: unknown, session: Session | null, { writeError }: Surroundings): number {
  const { lines, exitCode, code, requestId } = explainError(error, session?.client.baseUrl ?? '');
  if (session?.isJson === true) {
    writeError(`${jsonLine({ error: { code, message: lines.join('\n'), request_id: requestId } })}\n`);
  } else {
    for (const line of lines) writeError(`${session?.style('red', plainText(line)) ?? plainText(line)}\n`);
  }
  return exitCode;
}

function descendants(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...descendants(child)]);
}
