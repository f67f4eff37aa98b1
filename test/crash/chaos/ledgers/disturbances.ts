import type { InflictedFault } from '../cluster/fault-injector.js';
import type { Backend, FaultKind } from '../plan/fault.js';
import { unite } from '../checks/time-spans.js';
import type { Disturbance, TimeSpan } from './chaos-world.js';

/** Whoever was cut off needs a moment to come back. */
const AFTERMATH_MS = 500;
/** A lease is renewed several times in its life, and given up a while before it ends. */
const LEASE_SHARE = 0.5;
/**
 * Every commit that waits for the disk takes those before it along, and some client always waits for one. After the crash,
 * what was answered before it may still be on its way.
 */
const TAIL_MS = { before: 1_000, after: 500 };

/** What keeps the service from writing to its database. */
const DATABASE_AWAY: ReadonlySet<FaultKind> = new Set([
  'postgres_crash',
  'postgres_freeze',
  'postgres_disconnect',
  'postgres_silent',
  'postgres_read_only',
  'postgres_connection_limit',
  'postgres_disk_full',
]);
/** And from renewing its leases. */
const LEASES_AWAY: ReadonlySet<FaultKind> = new Set([...DATABASE_AWAY, 'postgres_locked']);
const REDIS_AWAY: ReadonlySet<FaultKind> = new Set([
  'redis_crash',
  'redis_freeze',
  'redis_flush',
  'redis_silent',
  'redis_full',
]);

export function disturbances(faults: readonly InflictedFault[]): Disturbance[] {
  return faults.map(({ fault, from, to }) => ({ kind: fault.kind, from, to: to + AFTERMATH_MS }));
}

/** When live events may have been lost: while the store that holds them was down, cut off or emptied. */
export function streamOutages(faults: readonly InflictedFault[], backend: Backend): TimeSpan[] {
  const kinds = backend === 'redis' ? REDIS_AWAY : DATABASE_AWAY;
  return unite(disturbances(faults.filter(({ fault }) => kinds.has(fault.kind))));
}

/** When nobody could renew a lease in time. */
export function leaseOutages(faults: readonly InflictedFault[], leaseMs: number): TimeSpan[] {
  return unite(disturbances(faults.filter(({ fault }) => LEASES_AWAY.has(fault.kind)))).filter(
    ({ from, to }) => to - from >= leaseMs * LEASE_SHARE + AFTERMATH_MS,
  );
}

/** What a crash of the database may have made it forget, one span for each. */
export function lostTails(faults: readonly InflictedFault[]): TimeSpan[] {
  return faults
    .filter(({ fault }) => fault.kind === 'postgres_crash')
    .map(({ from }) => ({ from: from - TAIL_MS.before, to: from + TAIL_MS.after }));
}
