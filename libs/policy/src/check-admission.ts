/** How much work waits to be taken up. */
export interface Backlog {
  /** Executions of everybody. */
  readonly queued: number;
  /** Executions of the tenant that asks. */
  readonly tenantQueued: number;
  /** For how long the tenant's longest waiting conversation could have gone on, had a worker been free; milliseconds. */
  readonly tenantWaitMs: number;
}

/** From where on nothing more is accepted; the same units. */
export type AdmissionLimits = Backlog;

export type AdmissionVerdict =
  | { readonly kind: 'admitted' }
  /** The tenant has too much waiting: its own doing. */
  | { readonly kind: 'tenant_full'; readonly retryAfterSeconds: number }
  /** The service has too much waiting, or works it off too slowly. */
  | { readonly kind: 'overloaded'; readonly retryAfterSeconds: number };

/** Limits that an accept has to count against, each null where it is out of reach. */
export interface CountedLimits {
  readonly queued: number | null;
  readonly tenantQueued: number | null;
}

const LONGEST_PAUSE_SECONDS = 60;
/** More executions than all processes together accept from one measurement of the backlog to the next. */
const HEADROOM = 20_000;

/**
 * May one more execution be accepted? Age is judged by the tenant's own line: dispatch is fair, so another tenant's long
 * line says nothing about how long this one would wait.
 */
export function checkAdmission(backlog: Backlog, limits: AdmissionLimits): AdmissionVerdict {
  const retryAfterSeconds = pauseOf(backlog);
  if (backlog.tenantQueued >= limits.tenantQueued) return { kind: 'tenant_full', retryAfterSeconds };
  if (backlog.queued >= limits.queued || backlog.tenantWaitMs >= limits.tenantWaitMs)
    return { kind: 'overloaded', retryAfterSeconds };
  return { kind: 'admitted' };
}

/** Seconds until a refused client should come back: the longest wait shows how long the line is. */
export function pauseOf({ tenantWaitMs }: Backlog): number {
  return Math.min(Math.max(Math.ceil(tenantWaitMs / 1_000), 1), LONGEST_PAUSE_SECONDS);
}

/**
 * Limits that may be reached before the backlog is measured again: the accept counts against them under a lock. Null where
 * all of them are out of reach, so that an accept far below its limits counts nothing.
 */
export function limitsToCount(backlog: Backlog, limits: AdmissionLimits): CountedLimits | null {
  const counted = {
    queued: limits.queued - backlog.queued <= HEADROOM ? limits.queued : null,
    tenantQueued: limits.tenantQueued - backlog.tenantQueued <= HEADROOM ? limits.tenantQueued : null,
  };
  return counted.queued === null && counted.tenantQueued === null ? null : counted;
}
