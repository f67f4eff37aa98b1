import { constants } from 'node:os';
import { say, style } from './terminal.ts';

type Undo = () => void | Promise<void>;

/** Interface between a command and its process. */
export interface CommandContext {
  /** Aborts when the command must stop. */
  readonly signal: AbortSignal;
  /** Registers a clean-up; at the end each runs once, in reverse order. */
  readonly onStop: (undo: Undo) => void;
  /** Reports a failure that ends the command. */
  readonly fail: (error: Error) => void;
}

/**
 * Runs a command until it returns, fails, or receives Ctrl-C, SIGTERM or a hangup; then runs its clean-ups and exits. The
 * exit code is the command's, 1 after a failure (printed in one line), or 128 + n after signal n.
 */
export async function runUntilStopped(command: (context: CommandContext) => Promise<number>): Promise<never> {
  const controller = new AbortController();
  const undos: Undo[] = [];
  const end = { exitCode: 1, hasFailed: false };

  const stop = (code: number, reason: Error): void => {
    if (controller.signal.aborted) return;
    end.exitCode = code;
    controller.abort(reason);
  };
  const fail = (error: Error): void => {
    if (controller.signal.aborted) return;
    end.hasFailed = true;
    report(error);
    stop(1, error);
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      stop(128 + constants.signals[name], new Error(`stopped by ${name}`));
    });
  }
  // The launching Node process has exited, and with it the caller that waits for this command.
  process.on('disconnect', () => {
    stop(128 + constants.signals.SIGHUP, new Error('stopped'));
  });
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', (reason) => {
    fail(asError(reason));
  });
  // A closed output (`| head`) stops the command in order, with its clean-ups.
  process.stdout.on('error', (error: Error) => {
    stop(1, error);
  });

  try {
    const code = await command({ signal: controller.signal, onStop: (undo) => void undos.push(undo), fail });
    if (!end.hasFailed) end.exitCode = code;
  } catch (error) {
    fail(asError(error));
  }
  for (const undo of undos.toReversed()) {
    try {
      await undo();
    } catch (error) {
      report(asError(error));
      end.exitCode ||= 1;
    }
  }
  process.exit(end.exitCode);
}

/** Resolves when the command must stop. */
export function untilStopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

function report(error: Error): void {
  say(`\n${style.red('✗')} ${error.message}`);
  if (process.env['DEBUG'] !== undefined) say(style.dim(error.stack ?? ''));
}
