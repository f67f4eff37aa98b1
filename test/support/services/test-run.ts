import { chmodSync, mkdirSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { processesNaming } from './processes-naming.ts';
import { abandonedRunFolders, createRunFolder, removeRunFolder } from './run-folder.ts';

/** Time to end after SIGTERM, or SIGQUIT for PostgreSQL, before SIGKILL. */
const GRACE_MS = 3_000;
const LOOK_EVERY_MS = 20;

/**
 * Begins a run of the tests: a folder for every temporary file, and a mark on every process that a test starts, by the name
 * of that folder in `PATH`, which is the one variable that all of them are given. When this process ends, for any reason
 * but SIGKILL, the marked processes are ended and the folder is removed; after a SIGKILL the next run does it.
 */
export function beginTestRun(): string {
  for (const abandoned of abandonedRunFolders()) endTestRun(abandoned);
  const folder = createRunFolder();
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  // The account that PostgreSQL runs under writes there, too.
  chmodSync(temporary, 0o1777);
  process.env.TMPDIR = temporary;
  process.env.PATH = `${process.env.PATH ?? ''}${delimiter}${join(folder, 'programs')}`;
  process.env.CAPSTAN_TEST_RUN_FOLDER = folder;
  process.on('exit', () => {
    endTestRun(folder);
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]));
  }
  return folder;
}

/** Ends what is left of a run. Synchronous: the process that calls it may be about to exit. */
function endTestRun(folder: string): void {
  const limit = performance.now() + GRACE_MS;
  const left = () => processesNaming(folder).filter(({ pid }) => pid !== process.pid);
  for (const { pid, command } of left()) send(pid, isPostgres(command) ? 'SIGQUIT' : 'SIGTERM');
  while (left().length > 0) {
    if (performance.now() > limit) for (const { pid } of left()) send(pid, 'SIGKILL');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_EVERY_MS);
  }
  removeRunFolder(folder);
}

/** A server that is ended by SIGKILL leaves its shared memory behind. */
function isPostgres(command: string): boolean {
  return /\bpostgres\b/.test(command);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended between the look and the signal.
  }
}
