import { readdirSync, readFileSync } from 'node:fs';
import { waitFor } from '../../support/services/wait-for.js';

/**
 * The processes that have this in their environment, whoever their parents are by now: what a worker starts for a tenant
 * inherits nothing else, and all that it starts in turn inherits that.
 */
export function markedProcesses(variable: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && environmentOf(pid).includes(variable));
}

/** Answers those that are still there after so long. */
export async function untilGone(
  pids: readonly number[],
  variable: string,
  limitMs: number,
): Promise<number[]> {
  const left = (): number[] => {
    const marked = new Set(markedProcesses(variable));
    return pids.filter((pid) => marked.has(pid));
  };
  const isOver = (): boolean => left().length === 0;
  await waitFor(isOver, { description: `processes with ${variable} to be gone`, timeoutMs: limitMs }).catch(
    () => undefined,
  );
  return left();
}

/** Of a process that has ended meanwhile, or is only waited for: nothing. */
function environmentOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
