import { constants } from 'node:os';
import { say, style } from './terminal.ts';

type Undo = () => void | Promise<void>;

/** What a command gets from the process that it runs in. */
export interface CommandContext {
  /** Aborts when the command shall stop. */
  readonly signal: AbortSignal;
  /** Registers what has to be undone at the end of the command: in reverse order, each exactly once. */
  readonly onStop: (undo: Undo) => void;
  /** Reports that the command cannot go on. */
  readonly fail: (error: Error) => void;
}

/**
 * Runs a command to its end, or until Ctrl-C, SIGTERM, a closed terminal or a failure; then undoes what it did and ends
 * the process. The exit code is the one that the command returns, 1 after a failure (printed as one line), and 128 + n
 * when a signal cut it short.
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
  // The Node that was started first is gone, and with it whoever waits for this command.
  process.on('disconnect', () => {
    stop(128 + constants.signals.SIGHUP, new Error('stopped'));
  });
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', (reason) => {
    fail(asError(reason));
  });
  // A reader that went away (`| head`) ends the command and must not end it half way.
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

/** Resolves when the command shall stop. */
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
