import type { InflictedFault } from '../cluster/fault-injector.js';
import type { Backend } from '../plan/fault-plan.js';
import type { TimeSpan } from './chaos-world.js';

/** Whoever was cut off needs a moment to come back. */
const AFTERMATH_MS = 5_000;

/** When live events may have been lost: while the store that holds them was down, cut off or emptied. */
export function streamOutages(faults: readonly InflictedFault[], backend: Backend): TimeSpan[] {
  return faults
    .filter(({ fault }) => fault.kind.startsWith(backend))
    .map(({ from, to }) => ({ from, to: to + AFTERMATH_MS }));
}
