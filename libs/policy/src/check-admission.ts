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

const LONGEST_PAUSE_SECONDS = 60;

/**
 * May one more execution be accepted? Age is judged by the tenant's own line: dispatch is fair, so another tenant's long
 * line says nothing about how long this one would wait.
 */
export function checkAdmission(backlog: Backlog, limits: AdmissionLimits): AdmissionVerdict {
  // Whoever has waited so long shows how long the line is.
  const waitSeconds = Math.ceil(backlog.tenantWaitMs / 1_000);
  const retryAfterSeconds = Math.min(Math.max(waitSeconds, 1), LONGEST_PAUSE_SECONDS);
  if (backlog.tenantQueued >= limits.tenantQueued) return { kind: 'tenant_full', retryAfterSeconds };
  if (backlog.queued >= limits.queued || backlog.tenantWaitMs >= limits.tenantWaitMs)
    return { kind: 'overloaded', retryAfterSeconds };
  return { kind: 'admitted' };
}
