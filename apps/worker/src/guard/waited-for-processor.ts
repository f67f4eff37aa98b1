import { readFileSync } from 'node:fs';

const NS_PER_MS = 1e6;

/**
 * For how long the main thread of this process has wanted a processor and not had one, since it began, ms. 0 where the
 * system does not count that: anywhere but on Linux (`/proc/<pid>/task/<tid>/schedstat`: ns computed, ns waited, turns).
 */
export function waitedForProcessorMs(): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(waitedNs) / NS_PER_MS;
  } catch {
    return 0;
  }
}
