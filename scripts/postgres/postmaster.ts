import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { identifyProcess } from '../bootstrap/process-identity.mjs';

/**
 * State of a data folder by its `postmaster.pid`: `ours` is a running server, `stale` a file with a process id that another
 * program has since reused, which PostgreSQL would take for a running server.
 */
export type Postmaster =
  | { readonly kind: 'ours'; readonly pid: number; readonly port: number; readonly pidFile: string }
  | { readonly kind: 'stale'; readonly pidFile: string };

/**
 * Reads `postmaster.pid`. A file of an exited process counts as absent: PostgreSQL replaces it after checking that no orphan
 * of the old server still uses the data.
 */
export function readPostmaster(dataDirectory: string): Postmaster | null {
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

function readLines(file: string): string[] | null {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return null;
  }
}
