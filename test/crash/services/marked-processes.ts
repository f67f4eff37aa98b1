import { readdirSync, readFileSync } from 'node:fs';
import { waitFor } from '../../support/services/wait-for.js';

/**
 * The processes with this variable in their environment, wherever they are in the process tree: the child of a worker gets
 * no other environment, and passes it on to its own children.
 */
export function markedProcesses(variable: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && environmentOf(pid).includes(variable));
}

/** Waits until these processes have ended, at most `limitMs`; returns those that have not. */
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

/** The environment of a process; empty if it has ended or is a zombie. */
function environmentOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
