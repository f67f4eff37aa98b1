import { join, resolve } from 'node:path';
import { prettyFactory } from 'pino-pretty';
import { serveConsole } from './console-server.ts';
import { startLocalEnvironment, type LocalEnvironment } from './local-environment.ts';
import { loadedFiles } from './loaded-files.ts';
import type { ServiceName } from './ports.ts';
import { watchBuild } from './project-build.ts';
import { untilStopped, type CommandContext } from './run-until-stopped.ts';
import { readSettings } from './settings.ts';
import { say, style } from './terminal.ts';
import { watchFolder } from './watch-folder.ts';

const QUIET_MS = 250;

/**
 * Starts everything and follows the sources until Ctrl-C: compiles on change, restarts affected services, and replaces
 * what changes in the open console. A service that exits is reported and restarted at the next change.
 * @param options.simulatedModel model of the seeded agents without a provider
 * @param options.defaults variables where the user sets none
 * @returns the exit code
 */
export async function runDevelopment(options: {
  root: string;
  context: CommandContext;
  simulatedModel: string;
  defaults: Readonly<Record<string, string>>;
}): Promise<number> {
  const { root, context, simulatedModel, defaults } = options;
  say(style.bold('Capstan, development'));
  const pretty = prettyFactory({ colorize: style.bold('') !== '', singleLine: true, ignore: 'pid,hostname' });
  const readable = (line: string): string => (line.startsWith('{') ? pretty(line).trimEnd() : line);
  const label = (name: string): string => style.cyan(name.padEnd(9));
  await watchBuild({ root, context, onLine: (line) => say(`${label('build')} ${line}`) });
  const environment = await startLocalEnvironment({
    root,
    context,
    command: 'dev',
    programs: 'compiled',
    isOneProcess: false,
    simulatedModel,
    defaults,
    watch: {
      onLine: (name, line) => say(`${label(name)} ${readable(line)}`),
      onUnexpectedExit: (name, message) => {
        say(`${label(name)} ${style.red(firstLine(message))} It starts again after the next change.`);
      },
    },
  });
  const console = await serveConsole({ root, context, api: environment.api });
  say(`\n  API ${environment.api}  docs ${environment.api}/docs  Ctrl-C stops everything.`);
  say(`  Console ${console}  follows its sources; the built one is at ${environment.api}/console/\n`);
  if (environment.apiKey !== null) say(`  export API_KEY=${environment.apiKey}\n`);

  const restart = restarting(environment);
  restartOnBuild({ root, context, environment, restart });
  const { PROJECT = '' } = { ...defaults, ...readSettings(root, process.env) };
  const folders = PROJECT.split(',').map((name) => name.trim());
  for (const folder of folders.filter((name) => name !== ''))
    restartOnProjectChange({ folder: resolve(root, folder), context, environment, restart });
  await untilStopped(context.signal);
  say('\nStopping …');
  return 0;
}

/** Restarts services for changed files, after a migration if they need one; one restart at a time. */
type Restart = (
  names: readonly ServiceName[],
  files: readonly string[],
  needsMigration: boolean,
) => Promise<void>;

function restarting(environment: LocalEnvironment): Restart {
  let turn: Promise<unknown> = Promise.resolve();
  return (names, files, needsMigration) => {
    const restarted = turn.then(async () => {
      say(`${style.yellow('↻')} ${names.join(', ')}, for ${describeFiles(files)}`);
      // Before the services, which refuse to start without the newest migration.
      if (needsMigration) await environment.migrate();
      await environment.services.restart(names);
      environment.publish({});
    });
    turn = restarted.catch(() => undefined);
    return restarted;
  };
}

function restartOnBuild(options: {
  root: string;
  context: CommandContext;
  environment: LocalEnvironment;
  restart: Restart;
}): void {
  const { root, context, environment, restart } = options;
  const dist = join(root, 'dist');
  watchFolder({
    folder: dist,
    context,
    isRelevant: (path) => path.endsWith('.js'),
    quietMs: QUIET_MS,
    onChange: async (files) => {
      const names = servicesThatLoad(dist, files, environment.services.names());
      if (names.length > 0) await restart(names, files, isLoadedBy('migrate', files, dist));
    },
  });
}

/** Services load a project at their start, and refuse to start on a database without its tables. */
function restartOnProjectChange(options: {
  folder: string;
  context: CommandContext;
  environment: LocalEnvironment;
  restart: Restart;
}): void {
  const { folder, context, environment, restart } = options;
  watchFolder({
    folder,
    context,
    isRelevant: (path) => /\.(?:[mc]?[jt]s|sql)$/u.test(path) && !path.includes('node_modules/'),
    quietMs: QUIET_MS,
    onChange: async (files) => {
      const names = environment.services.names().filter((name) => name === 'api' || name === 'worker');
      await restart(names, files, true);
    },
  });
}

/** Services that load one of the changed files. */
function servicesThatLoad(
  dist: string,
  files: readonly string[],
  services: readonly ServiceName[],
): ServiceName[] {
  return services.filter((name) => isLoadedBy(name, files, dist));
}

function isLoadedBy(app: string, files: readonly string[], dist: string): boolean {
  const loaded = loadedFiles(dist, app);
  return files.some((file) => loaded.has(file));
}

function describeFiles([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

/** The further lines are output that the terminal already shows. */
function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? message;
}
