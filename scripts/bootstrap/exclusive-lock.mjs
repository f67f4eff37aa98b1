// @ts-check
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identifyProcess, isStillRunning } from './process-identity.mjs';

/**
 * Does `work` while no other process of this machine does work under the same lock file. The lock of a process that
 * was killed is taken over at once, and one that is held long is never taken for abandoned: the file names its holder,
 * and no age of a file is judged. Not a package, because the first use of it is to install the packages.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @param {(holder: number) => void} [onWait] called once, with the holder's process id, when it has to wait
 * @returns {Promise<T>}
 */
export async function withExclusiveLock(file, work, onWait = () => {}) {
  mkdirSync(dirname(file), { recursive: true });
  let hasReported = false;
  for (;;) {
    const holder = take(file);
    if (holder === null) break;
    if (!hasReported) onWait(holder);
    hasReported = true;
    await delay(100);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** @param {string} file @returns {number | null} null: taken; else the process id of the holder */
function take(file) {
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, JSON.stringify(identifyProcess(process.pid)));
  try {
    // Linking a finished file makes the lock appear together with its holder's name.
    linkSync(mine, file);
    return null;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
  } finally {
    rmSync(mine, { force: true });
  }
  const holder = readHolder(file);
  if (holder !== null && isStillRunning(holder)) return holder.pid;
  rmSync(file, { force: true });
  return take(file);
}

/** @param {string} file @returns {{pid: number, startedAt: string} | null} */
function readHolder(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
