import { execa } from 'execa';
import { programFile } from '../build/programs.ts';
import { firstEnvironment } from './claim-environment.ts';
import { joinLocalDatabase } from './local-database.ts';
import { provideBuild } from './project-build.ts';
import type { CommandContext } from './run-until-stopped.ts';
import { startService } from './service-process.ts';
import { readSettings } from './settings.ts';

/**
 * Migrates and seeds the database; the program serialises concurrent runs.
 * @returns seeded rows left unchanged because a user changed them, and variables without effect, a line each
 * @throws {Error} with the last lines of the program
 */
export async function migrate(options: {
  root: string;
  /** Path below the root. */
  file: string;
  logs: string;
  env: Readonly<Record<string, string>>;
  context: Pick<CommandContext, 'signal' | 'onStop'>;
}): Promise<string[]> {
  const { root, file, logs, env, context } = options;
  const kept: string[] = [];
  const onLine = (line: string): void => {
    if (/^(?:left as|warning:)/u.test(line)) kept.push(line);
  };
  const program = startService({ name: 'migrate', entry: file, args: ['--seed'], root, logs, env, onLine });
  context.onStop(() => program.stop(5_000));
  const { code, reason } = await program.exited;
  context.signal.throwIfAborted();
  if (code !== 0) throw new Error(sayWhatToSet(reason));
  return kept;
}

/**
 * Runs the program in this terminal, on DATABASE_URL or else the embedded PostgreSQL.
 * @param options.defaults variables for the embedded database and for checks, where the user sets none
 * @returns its exit code
 */
export async function runDatabaseCommand(options: {
  root: string;
  context: CommandContext;
  args: readonly string[];
  defaults: Readonly<Record<string, string>>;
}): Promise<number> {
  const { root, context, args, defaults } = options;
  await provideBuild(root);
  const settings = readSettings(root, process.env);
  // The embedded database and checks include the example domains; a named database gets only the requested ones.
  const isEveryDomain = settings['DATABASE_URL'] === undefined || isCheck(args);
  let url = settings['DATABASE_URL'];
  if (url === undefined) {
    const database = await joinLocalDatabase(root, firstEnvironment(root).database);
    context.onStop(database.leave);
    url = database.url;
  }
  context.signal.throwIfAborted();
  const { exitCode } = await execa(process.execPath, [programFile('migrate'), ...args], {
    cwd: root,
    env: { ...(isEveryDomain && defaults), ...settings, DATABASE_URL: url },
    extendEnv: false,
    stdio: 'inherit',
    reject: false,
    cancelSignal: context.signal,
  });
  return exitCode ?? 1;
}

function isCheck(args: readonly string[]): boolean {
  return args.includes('--check') || args.includes('--generate');
}

/** Removes the program's name from the message: it is merely the first program to read the settings. */
function sayWhatToSet(reason: string): string {
  const [, faults] = /the environment is not usable:\s*\n([^]*)/u.exec(reason) ?? [];
  return faults === undefined
    ? reason
    : `What is set in .env or in the environment cannot be used:\n${faults}`;
}
