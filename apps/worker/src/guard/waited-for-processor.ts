import { readFileSync } from 'node:fs';

const NS_PER_MS = 1e6;

/**
 * Milliseconds that the main thread has waited for a processor since its start. Read from
 * `/proc/<pid>/task/<tid>/schedstat` on Linux (ns computed, ns waited, turns); 0 on other systems.
 */
export function waitedForProcessorMs(): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(waitedNs) / NS_PER_MS;
  } catch {
    return 0;
  }
}
