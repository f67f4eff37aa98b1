// @ts-check
import { residentBytes } from './process-files.mjs';

const LOOK_EVERY_MS = 200;

/**
 * Peak memory of processes together while `work` runs, in bytes.
 * @template T
 * @param {() => readonly number[]} pids
 * @param {() => Promise<T>} work
 * @returns {Promise<{bytes: number, result: T}>}
 */
export async function watchMemory(pids, work) {
  let bytes = 0;
  const look = () => {
    const now = pids().reduce((sum, pid) => sum + residentBytes(pid), 0);
    bytes = Number.isNaN(now) ? bytes : Math.max(bytes, now);
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  try {
    const result = await work();
    look();
    return { bytes: bytes === 0 ? Number.NaN : bytes, result };
  } finally {
    clearInterval(timer);
  }
}
