import { readdirSync, readFileSync } from 'node:fs';

export interface FoundProcess {
  readonly pid: number;
  readonly command: string;
}

/** All processes below `pid`, with their command lines. */
export function descendantsOf(pid: number): FoundProcess[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? read(Number(name)) : []));
  const below = (parent: number): FoundProcess[] =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)]);
  return below(pid);
}

/** Environment of a process; empty if it has ended. */
export function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

export function isAlive(pid: number): boolean {
  return read(pid).length > 0;
}

/** Empty for a process that has ended, also where nothing has taken notice of it yet. */
function read(pid: number): (FoundProcess & { readonly parent: number })[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z') return [];
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return [{ pid, parent: Number(parent), command }];
  } catch {
    return [];
  }
}
