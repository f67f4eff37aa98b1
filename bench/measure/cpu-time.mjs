// @ts-check
import { childrenOf, readStat } from './process-files.mjs';

/**
 * What processes have used so far, in milliseconds; not a number where the machine does not say (it has no /proc).
 * @param {readonly number[]} pids
 */
export function cpuTime(pids) {
  return pids.reduce((sum, pid) => sum + (readStat(pid)?.cpuMs ?? Number.NaN), 0);
}

/**
 * The same of a process and all it has started, also of what has ended since.
 * @param {number} pid
 */
export function cpuTimeOfFamily(pid) {
  const own = readStat(pid);
  if (own === null) return Number.NaN;
  return childrenOf(pid).reduce((sum, child) => sum + (readStat(child)?.cpuMs ?? 0), own.cpuMs + own.endedMs);
}
