import { constants } from 'node:os';
import { say, style } from './terminal.mjs';

/**
 * What a command gets: a signal that says it shall stop, a place to register what has to be undone at its end, and a
 * way to report that it cannot go on.
 * @typedef {object} CommandContext
 * @property {AbortSignal} signal
 * @property {(undo: () => void | Promise<void>) => void} onStop undone in reverse order, each exactly once
 * @property {(error: Error) => void} fail
 */

/**
 * Runs a command to its end, or until Ctrl-C, SIGTERM, a closed terminal or a failure; then undoes what it did and ends
 * the process. The exit code is the one that the command returns, 1 after a failure (reported in one line), and 128 + n
 * when a signal cut it short.
 * @param {(context: CommandContext) => Promise<number>} command
 * @returns {Promise<never>}
 */
export async function runUntilStopped(command) {
  const controller = new AbortController();
  /** @type {(() => void | Promise<void>)[]} */
  const undos = [];
  let exitCode = 1;
  let hasFailed = false;

  const stop = (/** @type {number} */ code, /** @type {Error} */ reason) => {
    if (controller.signal.aborted) return;
    exitCode = code;
    controller.abort(reason);
  };
  const fail = (/** @type {Error} */ error) => {
    if (controller.signal.aborted) return;
    hasFailed = true;
    report(error);
    stop(1, error);
  };
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(name, () => {
      stop(128 + constants.signals[name], new Error(`stopped by ${name}`));
    });
  }
  // The Node that was started first is gone, and with it whoever waits for this command.
  process.on('disconnect', () => {
    stop(128 + constants.signals.SIGHUP, new Error('stopped'));
  });
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', (reason) => {
    fail(reason instanceof Error ? reason : new Error(String(reason)));
  });
  // A reader that went away (`| head`) ends the command and must not end it half way.
  process.stdout.on('error', (error) => {
    stop(1, error);
  });

  try {
    const code = await command({ signal: controller.signal, onStop: (undo) => undos.push(undo), fail });
    if (!hasFailed) exitCode = code;
  } catch (error) {
    fail(error instanceof Error ? error : new Error(String(error)));
  }
  for (const undo of undos.toReversed()) {
    try {
      await undo();
    } catch (error) {
      report(error);
      exitCode ||= 1;
    }
  }
  process.exit(exitCode);
}

/**
 * Resolves when the command shall stop.
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
export function untilStopped(signal) {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** @param {unknown} error */
function report(error) {
  const message = error instanceof Error ? error.message : String(error);
  say(`\n${style.red('✗')} ${message}`);
  if (process.env.DEBUG !== undefined && error instanceof Error) say(style.dim(error.stack ?? ''));
}
