/** The queued work at admission. */
export interface Backlog {
  /** Queued executions of all tenants. */
  readonly queued: number;
  /** Queued executions of the requesting tenant. */
  readonly tenantQueued: number;
  /** Milliseconds that the tenant's longest waiting conversation has been ready to run without a free worker. */
  readonly tenantWaitMs: number;
}

/** Limits at which submits are rejected, in the same units. */
export type AdmissionLimits = Backlog;

export type AdmissionVerdict =
  | { readonly kind: 'admitted' }
  /** The tenant's own queue is full. */
  | { readonly kind: 'tenant_full'; readonly retryAfterSeconds: number }
  /** The service's queue is full, or drains too slowly. */
  | { readonly kind: 'overloaded'; readonly retryAfterSeconds: number };

/** Limits that an accept has to count against; null if a limit is out of reach. */
export interface CountedLimits {
  readonly queued: number | null;
  readonly tenantQueued: number | null;
}

const MAX_PAUSE_SECONDS = 60;
/** More executions than all processes can accept between two measurements of the backlog. */
const HEADROOM = 20_000;

/**
 * Decides whether to accept one more execution. The waiting time is the tenant's own: dispatch is fair, so another
 * tenant's long queue does not predict it.
 */
export function checkAdmission(backlog: Backlog, limits: AdmissionLimits): AdmissionVerdict {
  const retryAfterSeconds = pauseOf(backlog);
  if (backlog.tenantQueued >= limits.tenantQueued) return { kind: 'tenant_full', retryAfterSeconds };
  if (backlog.queued >= limits.queued || backlog.tenantWaitMs >= limits.tenantWaitMs)
    return { kind: 'overloaded', retryAfterSeconds };
  return { kind: 'admitted' };
}

/** Seconds for `Retry-After`, 1–60: the tenant's longest wait indicates the length of the queue. */
export function pauseOf({ tenantWaitMs }: Backlog): number {
  return Math.min(Math.max(Math.ceil(tenantWaitMs / 1_000), 1), MAX_PAUSE_SECONDS);
}

/**
 * Limits that could be reached before the next measurement of the backlog, which an accept therefore counts under a
 * lock. Null if all are out of reach, so that an accept far below its limits needs no count.
 */
export function limitsToCount(backlog: Backlog, limits: AdmissionLimits): CountedLimits | null {
  const counted = {
    queued: limits.queued - backlog.queued <= HEADROOM ? limits.queued : null,
    tenantQueued: limits.tenantQueued - backlog.tenantQueued <= HEADROOM ? limits.tenantQueued : null,
  };
  return counted.queued === null && counted.tenantQueued === null ? null : counted;
}
