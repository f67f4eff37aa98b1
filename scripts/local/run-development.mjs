import { watch } from 'node:fs';
import { join } from 'node:path';
import { prettyFactory } from 'pino-pretty';
import { startLocalEnvironment } from './local-environment.mjs';
import { servicesOf } from './restart-plan.mjs';
import { untilStopped } from './run-until-stopped.mjs';
import { watchSources } from './source-watch.mjs';
import { say, style } from './terminal.mjs';

const QUIET_MS = 250;

/**
 * Brings everything up and keeps it in step with the sources until Ctrl-C: compiles on change and restarts what the
 * change touches. A service that dies is reported and waits for the next change.
 * @param {object} options
 * @param {string} options.root
 * @param {import('./run-until-stopped.mjs').CommandContext} options.context
 * @returns {Promise<number>} the exit code
 */
export async function runDevelopment({ root, context }) {
  say(style.bold('Capstan, development'));
  const pretty = prettyFactory({ colorize: style.bold('') !== '', singleLine: true, ignore: 'pid,hostname' });
  const label = (/** @type {string} */ name) => style.cyan(name.padEnd(9));
  await watchSources({ root, context, onLine: (line) => say(`${label('build')} ${line}`) });
  const environment = await startLocalEnvironment({
    root,
    context,
    needsBuild: false,
    watch: {
      onLine: (name, line) => say(`${label(name)} ${readable(pretty, line)}`),
      onUnexpectedExit: (name, message) => {
        say(`${label(name)} ${style.red(firstLine(message))} It starts again after the next change.`);
      },
    },
  });
  say(`\n  API ${environment.api}  docs ${environment.api}/docs  Ctrl-C stops everything.\n`);

  restartOnChange({ root, context, environment });
  await untilStopped(context.signal);
  say('\nStopping …');
  return 0;
}

/**
 * @param {object} options
 * @param {string} options.root
 * @param {import('./run-until-stopped.mjs').CommandContext} options.context
 * @param {import('./local-environment.mjs').LocalEnvironment} options.environment
 */
function restartOnChange({ root, context, environment }) {
  /** @type {Set<import('./local-services.mjs').ServiceName>} */
  const touched = new Set();
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  let turn = Promise.resolve();

  const restart = async () => {
    const running = new Set(environment.services.names());
    const names = [...touched].filter((name) => running.has(name));
    touched.clear();
    if (names.length === 0 || context.signal.aborted) return;
    say(`${style.yellow('↻')} ${names.join(', ')}`);
    try {
      await environment.services.restart(names);
      environment.publish({});
    } catch (error) {
      if (!context.signal.aborted)
        say(style.red(firstLine(error instanceof Error ? error.message : String(error))));
    }
  };
  const watcher = watch(join(root, 'dist'), { recursive: true }, (_event, path) => {
    for (const name of servicesOf(path ?? '')) touched.add(name);
    clearTimeout(timer);
    // A build writes many files: one restart after the last of them, and never two at once.
    timer = setTimeout(() => {
      turn = turn.then(restart);
    }, QUIET_MS);
  });
  context.onStop(async () => {
    clearTimeout(timer);
    watcher.close();
    await turn;
  });
}

/** @param {(entry: string) => string | undefined} pretty @param {string} line */
function readable(pretty, line) {
  return line.startsWith('{') ? (pretty(line) ?? line).trimEnd() : line;
}

/** The rest is its output, which is on the screen already. @param {string} message */
function firstLine(message) {
  return message.split('\n', 1)[0] ?? message;
}
