import { expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, realpathSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { processesNaming } from './processes-naming.js';
import { databasesFolder } from './run-folder.js';

/**
 * Begins a run that starts two processes in sessions of their own, prints its folder, and runs until it is ended. One
 * process works in the folder and has no environment, like Redis, which overwrites its own.
 */
const RUN = `
  const { beginTestRun } = await import(${JSON.stringify(new URL('./test-run.ts', import.meta.url).href)});
  const { spawn } = await import('node:child_process');
  const folder = beginTestRun();
  spawn('/bin/sleep', ['600'], { detached: true, stdio: 'ignore', cwd: folder, env: {} });
  spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).once('spawn', () => console.log(folder));
  setInterval(() => undefined, 1_000);
`;

interface BegunRun {
  readonly process: ChildProcess;
  /** The run's folder, and the folder for databases, which may be elsewhere. */
  readonly folders: readonly string[];
  /** The number of processes with the run's mark, besides itself. */
  readonly left: () => number;
}

async function begin(): Promise<BegunRun> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', RUN], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [folder] = (await once(createInterface(child.stdout), 'line')) as [string];
  return {
    process: child,
    folders: [folder, realpathSync(databasesFolder(folder))],
    left: () => processesNaming(folder).filter(({ pid }) => pid !== child.pid).length,
  };
}

async function end(run: BegunRun, signal: NodeJS.Signals): Promise<void> {
  const exited = once(run.process, 'exit');
  run.process.kill(signal);
  await exited;
}

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'a run that %s ends leaves nothing behind',
  async (signal) => {
    const run = await begin();
    expect(run.folders.map(existsSync)).toEqual([true, true]);
    expect(run.left()).toBe(2);

    await end(run, signal);

    expect(run.folders.map(existsSync)).toEqual([false, false]);
    expect(run.left()).toBe(0);
  },
);

it('the next run ends and removes what a killed one has left', async () => {
  const killed = await begin();
  await end(killed, 'SIGKILL');
  expect(killed.left()).toBe(2);

  const next = await begin();

  expect(killed.folders.map(existsSync)).toEqual([false, false]);
  expect(killed.left()).toBe(0);
  await end(next, 'SIGTERM');
});
