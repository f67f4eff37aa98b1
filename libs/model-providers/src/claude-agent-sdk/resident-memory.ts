import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const KIBIBYTE = 1_024;
const run = promisify(execFile);

/** Resident memory of a process in bytes; `ended`: the process has; `unknown`: the system does not say. */
export type ResidentMemory = number | 'ended' | 'unknown';

/** Places at which a system reports the memory of its processes. */
export interface MemorySources {
  readonly proc?: string;
  readonly ps?: string;
}

/** Asks /proc, or `ps` on systems without it. */
export async function residentMemory(
  pid: number,
  { proc = '/proc', ps = 'ps' }: MemorySources = {},
): Promise<ResidentMemory> {
  // The process that asks is in every /proc.
  if (!existsSync(`${proc}/${process.pid}/status`)) return askPs(ps, pid);
  const status = await readFile(`${proc}/${pid}/status`, 'utf8').catch(() => '');
  return inStatus(status);
}

async function askPs(ps: string, pid: number): Promise<ResidentMemory> {
  try {
    return inPs((await run(ps, ['-o', 'rss=', '-p', String(pid)])).stdout);
  } catch (error) {
    // By POSIX, `ps` fails and prints nothing where it lists no process.
    const { code, stderr } = error as { readonly code?: unknown; readonly stderr?: unknown };
    return code === 1 && stderr === '' ? 'ended' : 'unknown';
  }
}

/** `VmRSS` of a status file; a process that has ended has none, also while it is still listed. */
export function inStatus(status: string): number | 'ended' {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kibibytes === undefined ? 'ended' : Number(kibibytes) * KIBIBYTE;
}

/** The answer of `ps -o rss=`, in KiB by POSIX's habit. */
export function inPs(answer: string): number | 'unknown' {
  const kibibytes = /^\s*(\d+)\s*$/.exec(answer)?.[1];
  return kibibytes === undefined ? 'unknown' : Number(kibibytes) * KIBIBYTE;
}
