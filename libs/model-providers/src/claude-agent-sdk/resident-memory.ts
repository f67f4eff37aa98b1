import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const KIBIBYTE = 1_024;
const run = promisify(execFile);

/**
 * Resident memory of a process in bytes: from /proc, or from `ps` on systems without it. Null if neither knows it, also
 * because the process has ended.
 */
export async function residentMemory(pid: number, proc = '/proc'): Promise<number | null> {
  try {
    return inStatus(await readFile(`${proc}/${pid}/status`, 'utf8'));
  } catch {
    const asked = await run('ps', ['-o', 'rss=', '-p', String(pid)]).catch(() => null);
    return asked === null ? null : inPs(asked.stdout);
  }
}

/** `VmRSS` of a status file; null for a process that has ended and is still listed. */
export function inStatus(status: string): number | null {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * KIBIBYTE;
}

/** The answer of `ps -o rss=`, in KiB by POSIX's habit. */
export function inPs(answer: string): number | null {
  const kibibytes = /^\s*(\d+)\s*$/.exec(answer)?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * KIBIBYTE;
}
