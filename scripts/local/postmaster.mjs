import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { identifyProcess } from './process-identity.mjs';

/**
 * What `postmaster.pid` says about a data folder: `ours` is a server that runs on it now, `stale` a file whose process
 * id belongs to somebody else today, which PostgreSQL alone would take for a running server.
 * @typedef {{kind: 'ours', pid: number, port: number, pidFile: string} | {kind: 'stale', pidFile: string}} Postmaster
 */

/**
 * Reads `postmaster.pid`. A file of a process that is gone counts as absent: PostgreSQL replaces it itself, after
 * having made sure that no orphan of the dead server still holds the data.
 * @param {string} dataDirectory
 * @returns {Postmaster | null}
 */
export function readPostmaster(dataDirectory) {
  const pidFile = join(dataDirectory, 'postmaster.pid');
  const lines = readLines(pidFile);
  if (lines === null) return null;
  const pid = Number.parseInt(lines[0] ?? '', 10);
  const port = Number.parseInt(lines[3] ?? '', 10);
  const holder = identifyProcess(pid);
  if (holder === null) return null;
  if (!holder.command.includes(dataDirectory)) return { kind: 'stale', pidFile };
  return { kind: 'ours', pid, port, pidFile };
}

/** @param {string} file @returns {string[] | null} */
function readLines(file) {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return null;
  }
}
