import type { InflictedFault } from '../cluster/fault-injector.js';
import type { Backend, FaultKind } from '../plan/fault.js';
import { unite } from '../checks/time-spans.js';
import type { Disturbance, TimeSpan } from './chaos-world.js';

/** Milliseconds until a client has reconnected after a fault. */
const AFTERMATH_MS = 500;
/** The share of a lease after which a worker without a renewal may give it up: it renews several times before. */
const LEASE_SHARE = 0.5;
/** Milliseconds. A flushing commit flushes those before it, and some client always waits for one. */
const UNFLUSHED_MS = 1_000;

/** Faults that keep the service from writing to its database. */
const DATABASE_AWAY: ReadonlySet<FaultKind> = new Set([
  'postgres_crash',
  'postgres_freeze',
  'postgres_disconnect',
  'postgres_silent',
  'postgres_read_only',
  'postgres_connection_limit',
  'postgres_disk_full',
]);
/** Faults that keep workers from renewing their leases. */
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

/** Time spans in which live events may have been lost: their store was down, cut off or emptied. */
export function streamOutages(faults: readonly InflictedFault[], backend: Backend): TimeSpan[] {
  const kinds = backend === 'redis' ? REDIS_AWAY : DATABASE_AWAY;
  return unite(disturbances(faults.filter(({ fault }) => kinds.has(fault.kind))));
}

/** Time spans in which no worker could renew a lease in time. */
export function leaseOutages(faults: readonly InflictedFault[], leaseMs: number): TimeSpan[] {
  return unite(disturbances(faults.filter(({ fault }) => LEASES_AWAY.has(fault.kind)))).filter(
    ({ from, to }) => to - from >= leaseMs * LEASE_SHARE + AFTERMATH_MS,
  );
}

/**
 * The time span in which workers act on commits that each crash of the database may have lost. A worker with a forgotten
 * claim waits for the database to read its context, and sends its request once the database is back.
 */
export function lostTails(faults: readonly InflictedFault[]): TimeSpan[] {
  return faults
    .filter(({ fault }) => fault.kind === 'postgres_crash')
    .map(({ from, to }) => ({ from: from - UNFLUSHED_MS, to: to + AFTERMATH_MS }));
}
