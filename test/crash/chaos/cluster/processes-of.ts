import { readdirSync, readFileSync } from 'node:fs';

/** Resident memory in bytes; null for a process that has ended. */
export function residentBytes(pid: number): number | null {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readProcessFile(pid, 'status'))?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1_024;
}

/** Open files and sockets; 0 for a process that has ended. */
export function openDescriptors(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

export function isAlive(pid: number): boolean {
  return /^State:\s+[^ZX]/m.test(readProcessFile(pid, 'status'));
}

/** The ids of the direct children of process `pid`. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => new RegExp(`^PPid:\\s+${pid}$`, 'm').test(readProcessFile(candidate, 'status')));
}

/** Sends the signal; does nothing if the process has ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process ended just before the signal.
  }
}

function readProcessFile(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
