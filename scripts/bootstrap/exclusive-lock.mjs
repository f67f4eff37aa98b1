// @ts-check
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identifyProcess, isStillRunning } from './process-identity.mjs';

/**
 * Runs `work` while no other process of this machine works under the same lock file. The lock of a killed process is taken
 * over at once; a long-held lock never counts as abandoned, since the file names its holder and file ages are not used. Not
 * a package, since its first use is to install the packages.
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
    // Linking a finished file makes lock and holder appear atomically.
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
