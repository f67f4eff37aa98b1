// @ts-check
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Identity of a process: ids are reused, but not together with a start time.
 * @typedef {{pid: number, startedAt: string, command: string}} ProcessIdentity
 */

/**
 * The process with this id now; null without one.
 * @param {number} pid
 * @returns {ProcessIdentity | null}
 */
export function identifyProcess(pid) {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  return process.platform === 'linux' ? identifyFromProc(pid) : identifyFromPs(pid);
}

/**
 * Whether the earlier identified process still runs; a new process with the same id does not count.
 * @param {{pid: number, startedAt: string}} earlier
 */
export function isStillRunning(earlier) {
  return identifyProcess(earlier.pid)?.startedAt === earlier.startedAt;
}

/** @param {number} pid @returns {ProcessIdentity | null} */
function identifyFromProc(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name in parentheses may contain spaces; state is field 3, the start in clock ticks field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z') return null;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { pid, startedAt: fields[19] ?? '', command };
  } catch {
    return null;
  }
}

/** @param {number} pid @returns {ProcessIdentity | null} */
function identifyFromPs(pid) {
  try {
    const ps = (/** @type {string} */ column) =>
      execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    const startedAt = ps('lstart');
    return startedAt === '' ? null : { pid, startedAt, command: ps('command') };
  } catch {
    return null;
  }
}
