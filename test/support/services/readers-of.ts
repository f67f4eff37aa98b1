import { readdirSync, readFileSync } from 'node:fs';

/** The processes that parse documents for this process, which may have ended. */
export function readersOf(parentPid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isReaderOf(name, parentPid))
    .map(Number);
}

function isReaderOf(pid: string, parentPid: number): boolean {
  const words = commandLine(pid);
  return (
    words.some((word) => word.endsWith('/parse-program.js')) &&
    words.some((word) => word.includes(`"parentPid":${parentPid}}`))
  );
}

/** The command line; empty if the process has just ended. */
function commandLine(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
