/** What a caller knows of whether a host answers. Times in milliseconds of a clock that nobody sets. */
export type BreakerState =
  /** Every call may begin; so many in a row found nobody. */
  | { readonly kind: 'closed'; readonly failures: number }
  /** Nobody may call before `until`, then one may try. */
  | { readonly kind: 'open'; readonly until: number; readonly openings: number }
  /** One call tries; if it takes long, another may try beside it. */
  | { readonly kind: 'probing'; readonly since: number; readonly openings: number };

export type Admission =
  | { readonly kind: 'admitted'; readonly state: BreakerState; readonly isProbe: boolean }
  | { readonly kind: 'refused'; readonly retryAfterMs: number };

export const CLOSED: BreakerState = { kind: 'closed', failures: 0 };

/** Calls in a row that have to find nobody before others are kept from trying. */
export const TOLERATED_FAILURES = 5;
const FIRST_PAUSE_MS = 5_000;
/** Short beside the deadline of an execution, so that one that waits gets several chances. */
const LONGEST_PAUSE_MS = 30_000;
/** A probe that has not even got its first byte by then keeps nobody else from trying. */
const PROBE_PATIENCE_MS = 15_000;

/** Of a caller that has not found out for itself yet: so many calls in a row, of whomever, found nobody. */
export function unheard(failures: number, now: number): BreakerState {
  return failures < TOLERATED_FAILURES
    ? { kind: 'closed', failures }
    : { kind: 'open', until: now, openings: 0 };
}

/** May a call begin now? */
export function admit(state: BreakerState, now: number): Admission {
  if (state.kind === 'closed') return { kind: 'admitted', state, isProbe: false };
  const wait = (state.kind === 'open' ? state.until : state.since + PROBE_PATIENCE_MS) - now;
  // What a probe finds out may be known much sooner.
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

/** After a call that found nobody. */
export function afterFailure(state: BreakerState, isProbe: boolean, now: number): BreakerState {
  if (state.kind === 'closed') {
    const failures = state.failures + 1;
    return failures < TOLERATED_FAILURES ? { kind: 'closed', failures } : opened(1, now);
  }
  // What was under way when it opened says nothing new.
  return isProbe ? opened(state.openings + 1, now) : state;
}

/** After a call of which nobody can say: it was given up by us. The next one may probe at once. */
export function afterNothing(state: BreakerState, isProbe: boolean, now: number): BreakerState {
  return isProbe && state.kind === 'probing' ? { kind: 'open', until: now, openings: state.openings } : state;
}

function opened(openings: number, now: number): BreakerState {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (openings - 1));
  return { kind: 'open', until: now + pause, openings };
}
