// @ts-check
import { childrenOf, readStat } from './process-files.mjs';

/**
 * CPU time of processes so far, in ms; NaN where the system does not say (it has no /proc).
 * @param {readonly number[]} pids
 */
export function cpuTime(pids) {
  return pids.reduce((sum, pid) => sum + (readStat(pid)?.cpuMs ?? Number.NaN), 0);
}

/**
 * CPU time of a process and its descendants, including ended ones, in ms.
 * @param {number} pid
 */
export function cpuTimeOfFamily(pid) {
  const own = readStat(pid);
  if (own === null) return Number.NaN;
  return childrenOf(pid).reduce((sum, child) => sum + (readStat(child)?.cpuMs ?? 0), own.cpuMs + own.endedMs);
}
