// Programs of the npm package: `capstan dev`, `start` and `migrate` call these functions of the bundle beside them.
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { programFile } from '../build/programs.ts';
import { runUntilStopped } from '../local/run-until-stopped.ts';
import type { EnvironmentCheck } from './environment-checks.ts';
import { examineEnvironment } from './examine-environment.ts';
import { nameProject } from './name-project.ts';
import { runDevelopment } from './run-development.ts';

/** Folder of the package; this module is bundled into `dist/local` of it. */
const PACKAGE = join(import.meta.dirname, '..', '..');

/** Runs the project of the folder until Ctrl-C; ends the process. */
export function dev(folder: string): Promise<never> {
  return runUntilStopped((context) =>
    runDevelopment({ folder: resolve(folder), programs: PACKAGE, context }),
  );
}

/** Starts API and worker, or one of them by `ROLE`, in this process, configured by the environment. */
export async function start(folder: string | undefined): Promise<void> {
  await runProgram('service', folder);
}

/**
 * Migrates the database in this process; `args` are those of the program, e.g. `--seed`.
 * @returns the exit code of the program
 */
export async function migrate(folder: string | undefined, args: readonly string[]): Promise<number> {
  process.argv.splice(2, process.argv.length, ...args);
  await runProgram('migrate', folder);
  return Number(process.exitCode ?? 0);
}

/** Checks what a service with the environment of this process would use. */
export function examine(): AsyncGenerator<EnvironmentCheck, void, undefined> {
  return examineEnvironment(process.env);
}

async function runProgram(name: 'service' | 'migrate', folder: string | undefined): Promise<void> {
  if (folder !== undefined) nameProject(resolve(folder));
  await import(pathToFileURL(join(PACKAGE, programFile(name))).href);
}
