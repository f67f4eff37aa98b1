import { mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Folders of runs are named after the worker's process, so that another one finds those that a dead one left. */
const PREFIX = 'capstan-claude-';
let isSwept = false;

/** Makes the folder of one run; the first one of a process removes those that dead workers have left. */
export function makeRunFolder(root = tmpdir()): string {
  if (!isSwept) void sweepRunFolders(root);
  isSwept = true;
  return mkdtempSync(join(root, `${PREFIX}${process.pid}-`));
}

export async function removeRunFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}

/** Removes the folders of processes that have ended. */
export async function sweepRunFolders(root: string): Promise<void> {
  const left = readdirSync(root).filter((name) => {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    return pid !== undefined && !isAlive(Number(pid));
  });
  await Promise.all(left.map((name) => removeRunFolder(join(root, name))));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
