import { execa } from 'execa';
import { programFile } from '../build/programs.ts';
import { firstEnvironment } from './claim-environment.ts';
import { joinLocalDatabase } from './local-database.ts';
import { provideBuild } from './project-build.ts';
import type { CommandContext } from './run-until-stopped.ts';
import { startService } from './service-process.ts';
import { readSettings } from './settings.ts';

/**
 * Brings the database to the newest schema and seeds it; several at once are serialised by the program itself.
 * @returns rows that the seed has left alone, since they were changed, and variables without effect, a line each
 * @throws {Error} with the last lines that the program wrote
 */
export async function migrate(options: {
  root: string;
  /** Below the root. */
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
 * Runs the program in this terminal, on DATABASE_URL or on the embedded PostgreSQL when none is given.
 * @param options.domains those that are loaded where DOMAINS names none: on the embedded database, and for checks
 * @returns its exit code
 */
export async function runDatabaseCommand(options: {
  root: string;
  context: CommandContext;
  args: readonly string[];
  domains: string;
}): Promise<number> {
  const { root, context, args, domains } = options;
  await provideBuild(root);
  const settings = readSettings(root, process.env);
  // The embedded database has the examples, and every migration is checked; a database that is named has what is asked for.
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
    env: { ...(isEveryDomain && { DOMAINS: domains }), ...settings, DATABASE_URL: url },
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

/** It is the first program that reads the settings: what is wrong with them is said without its name. */
function sayWhatToSet(reason: string): string {
  const [, faults] = /the environment is not usable:\s*\n([^]*)/u.exec(reason) ?? [];
  return faults === undefined
    ? reason
    : `What is set in .env or in the environment cannot be used:\n${faults}`;
}
