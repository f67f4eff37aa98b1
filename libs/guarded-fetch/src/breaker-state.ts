/** Circuit breaker of a host, as one caller knows it. Times are milliseconds of a monotonic clock. */
export type BreakerState =
  /** Calls are admitted; `failures` counts consecutive ones without a response. */
  | { readonly kind: 'closed'; readonly failures: number }
  /** Calls are refused until `until`, then one probe is admitted. */
  | { readonly kind: 'open'; readonly until: number; readonly openings: number }
  /** One probe runs; after 15 s another may run beside it. */
  | { readonly kind: 'probing'; readonly since: number; readonly openings: number };

export type Admission =
  | { readonly kind: 'admitted'; readonly state: BreakerState; readonly isProbe: boolean }
  | { readonly kind: 'refused'; readonly retryAfterMs: number };

export const CLOSED: BreakerState = { kind: 'closed', failures: 0 };

/** Consecutive failures that open the breaker. */
export const TOLERATED_FAILURES = 5;
const FIRST_PAUSE_MS = 5_000;
/** Short compared with an execution's deadline, so that a waiting execution gets several tries. */
const MAX_PAUSE_MS = 30_000;
/** Milliseconds without a first byte after which a probe no longer blocks other callers. */
const MAX_PROBE_MS = 15_000;

/** Initial state of a caller without results of its own: `failures` counts consecutive failures of all callers. */
export function unheard(failures: number, now: number): BreakerState {
  return failures < TOLERATED_FAILURES
    ? { kind: 'closed', failures }
    : { kind: 'open', until: now, openings: 0 };
}

/** Decides whether a call may begin now. */
export function admit(state: BreakerState, now: number): Admission {
  if (state.kind === 'closed') return { kind: 'admitted', state, isProbe: false };
  const wait = (state.kind === 'open' ? state.until : state.since + MAX_PROBE_MS) - now;
  // The result of a running probe may arrive much sooner.
  if (wait > 0)
    return {
      kind: 'refused',
      retryAfterMs: Math.ceil(state.kind === 'open' ? wait : Math.min(wait, FIRST_PAUSE_MS)),
    };
  return {
    kind: 'admitted',
    state: { kind: 'probing', since: now, openings: state.openings },
    isProbe: true,
  };
}

/** The state after a call without a response. */
export function afterFailure(state: BreakerState, isProbe: boolean, now: number): BreakerState {
  if (state.kind === 'closed') {
    const failures = state.failures + 1;
    return failures < TOLERATED_FAILURES ? { kind: 'closed', failures } : opened(1, now);
  }
  // Calls that were in flight when the breaker opened carry no new information.
  return isProbe ? opened(state.openings + 1, now) : state;
}

/**
 * The state after a call that the caller aborted, which shows nothing about the host. The next call may probe at once.
 */
export function afterNothing(state: BreakerState, isProbe: boolean, now: number): BreakerState {
  return isProbe && state.kind === 'probing' ? { kind: 'open', until: now, openings: state.openings } : state;
}

function opened(openings: number, now: number): BreakerState {
  const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (openings - 1));
  return { kind: 'open', until: now + pause, openings };
}
