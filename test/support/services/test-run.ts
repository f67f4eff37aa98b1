import { chmodSync, mkdirSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { processesNaming } from './processes-naming.ts';
import { abandonedRunFolders, createRunFolder, removeRunFolder } from './run-folder.ts';

/** Milliseconds from SIGTERM, or SIGQUIT for PostgreSQL, to SIGKILL. */
const GRACE_MS = 3_000;
const LOOK_EVERY_MS = 20;

/**
 * Begins a test run: a folder for all temporary files, and a mark on every process that a test starts, which is the name of
 * the folder in `PATH`, the only variable that all of them get. When this process ends for any reason but SIGKILL, the
 * marked processes are ended and the folder is removed; after a SIGKILL the next run does it.
 */
export function beginTestRun(): string {
  for (const abandoned of abandonedRunFolders()) endTestRun(abandoned);
  const folder = createRunFolder();
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  // PostgreSQL's account writes there, too.
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

/** Ends the processes and removes the folder of a run. Synchronous, because the calling process may be about to exit. */
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

/** PostgreSQL gets SIGQUIT, because a SIGKILL would leave its shared memory behind. */
function isPostgres(command: string): boolean {
  return /\bpostgres\b/.test(command);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process ended just before the signal.
  }
}
