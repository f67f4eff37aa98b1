import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface NamingProcess {
  readonly pid: number;
  readonly command: string;
}

/**
 * The processes with `text` in their command line, their environment or the path of their working folder, as Redis
 * overwrites the first two. Empty without `/proc`; processes of other accounts are visible to root only.
 */
export function processesNaming(text: string): NamingProcess[] {
  return processIds().flatMap((pid) => {
    const command = read(pid, 'cmdline').replaceAll('\0', ' ').trim();
    const names = command.includes(text) || read(pid, 'environ').includes(text);
    return names || workingFolder(pid).includes(text) ? [{ pid, command }] : [];
  });
}

function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** The file of a process; empty if it has ended or belongs to another account. */
function read(pid: number, file: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function workingFolder(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}
