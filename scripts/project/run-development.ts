import { existsSync, mkdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { prettyFactory } from 'pino-pretty';
import { programFile } from '../build/programs.ts';
import { startLocalEnvironment, type LocalEnvironment } from '../local/local-environment.ts';
import { untilStopped, type CommandContext } from '../local/run-until-stopped.ts';
import { say, style } from '../local/terminal.ts';
import { watchFolder } from '../local/watch-folder.ts';
import { clientVariables } from './client-variables.ts';
import { nameProject } from './name-project.ts';

const QUIET_MS = 100;
/** Answers without a model provider: it calls the tool that the input names. */
const SIMULATED_MODEL = 'sim-caller';

/**
 * `capstan dev`: starts database, API, worker and console for the project in `folder`, and restarts the service when a
 * file of the project changes. Data stays in `.local` of that folder.
 * @param options.programs folder of the package with the bundled programs
 * @returns the exit code
 * @throws {Error} if there is no such folder
 */
export async function runDevelopment(options: {
  folder: string;
  programs: string;
  context: CommandContext;
}): Promise<number> {
  const { folder, programs, context } = options;
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}.`);
  const project = projectFolder(folder);
  nameProject(project);
  mkdirSync(project, { recursive: true });
  say(style.bold('Capstan'));
  const pretty = prettyFactory({ colorize: style.bold('') !== '', singleLine: true, ignore: 'pid,hostname' });
  const environment = await startLocalEnvironment({
    root: folder,
    context,
    command: 'dev',
    programs: (name) => join(programs, programFile(name)),
    isOneProcess: true,
    simulatedModel: SIMULATED_MODEL,
    defaults: {},
    watch: {
      onLine: (name, line) => {
        const shown = shownLine(line);
        if (shown !== null)
          say(`${style.cyan(name.padEnd(9))} ${shown.startsWith('{') ? pretty(shown).trimEnd() : shown}`);
      },
      onUnexpectedExit: (name, message) => {
        say(style.red(`${name}: ${message} It starts again after the next change.`));
      },
    },
  });
  presentAddresses(environment, folder, project);
  restartOnChange({ project, context, environment });
  await untilStopped(context.signal);
  say('\nStopping …');
  return 0;
}

/** The folder itself if it has parts of a project or is named `capstan`, or else `capstan` below it. */
function projectFolder(folder: string): string {
  const inside = join(folder, 'capstan');
  const hasParts = (place: string): boolean =>
    ['tools', 'agents', 'pipelines', 'domains'].some((name) => existsSync(join(place, name)));
  return !hasParts(inside) && (hasParts(folder) || basename(folder) === 'capstan') ? folder : inside;
}

/** Warnings about the project without Node's prefix, and lines of the log that report a problem; null for any other line. */
function shownLine(line: string): string | null {
  const warning = /ProjectWarning: (.*)$/u.exec(line)?.[1];
  if (warning !== undefined) return style.yellow(`not loaded: ${warning}`);
  if (line.startsWith('{')) return /"level":(?:40|50|60)\b/u.test(line) ? line : null;
  return /^\(Use `node|^ready:|^simulator listening/u.test(line) ? null : line;
}

function presentAddresses(environment: LocalEnvironment, folder: string, project: string): void {
  const { api, apiKey, hasModelProvider } = environment;
  say(`\n  console  ${style.bold(`${api}/console/`)}`);
  say(`  API      ${api}/api/agents/`);
  say(
    `  project  ${relative(folder, project) || '.'}/tools/*.ts, ${relative(folder, project) || '.'}/agents/*.ts`,
  );
  if (!hasModelProvider)
    say(
      '  model    simulated: it calls the tool that the input names; OPENAI_API_KEY in .env takes a real one',
    );
  for (const line of clientVariables({ api, apiKey })) say(line);
  say('\nCtrl-C stops everything; data stays in .local.\n');
}

function restartOnChange(options: {
  project: string;
  context: CommandContext;
  environment: LocalEnvironment;
}): void {
  const { project, context, environment } = options;
  watchFolder({
    folder: project,
    context,
    isRelevant: isSource,
    quietMs: QUIET_MS,
    onChange: async (files) => {
      const [file = ''] = files;
      const startedAt = performance.now();
      // An agent that is new or changed is stored by the migration program; the service reads it from the database.
      const migrated = environment.migrate();
      // The service refuses to start on a database without the tables of a domain.
      if (files.some((path) => path.startsWith('domains/'))) await migrated;
      await Promise.all([environment.services.restart(['service']), migrated]);
      environment.publish({});
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
      say(`${style.yellow('↻')} restarted for ${file} (${seconds} s)`);
    },
  });
}

function isSource(path: string): boolean {
  return (
    /\.(?:ts|mts|js|mjs|json|env|sql)$/u.test(path) &&
    !/(?:^|\/)(?:node_modules|\.local|\.git|dist)\/|\.(?:test|spec)\.\w+$/u.test(path)
  );
}
