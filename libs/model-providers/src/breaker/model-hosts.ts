import { ModelCallError, ModelHostUnavailableError } from '#libs/agent-core';
import {
  admit,
  afterFailure,
  afterNothing,
  CLOSED,
  TOLERATED_FAILURES,
  unheard,
  type BreakerState,
} from '#libs/guarded-fetch';

/**
 * Failures without any answer. An answer, even a 503, shows that the host is up: its error may concern one caller only.
 */
const UNREACHABLE: ReadonlySet<string> = new Set([
  'connection_failed',
  'first_byte_timeout',
  'request_timeout',
]);
/** Failures not caused by the host. */
const OUR_OWN: ReadonlySet<string> = new Set(['aborted', 'invalid_parameters']);
/** Timeouts below this many milliseconds do not count as failures of the host. */
const MIN_SILENCE_MS = 10_000;
/** Delay in milliseconds for a call that failed while another call probes the host. */
const SOON_MS = 1_000;

/** One call to a host, from its admission to its end. */
export interface HostCall {
  /** The host began to answer. */
  isAlive(): void;
  /** The error to throw: the same one, or a `ModelHostUnavailableError` while the circuit breaker is open. */
  failed(error: unknown): unknown;
}

/** A host that has left calls unanswered and answered none since, as {@link ModelHosts.list} shows it. */
export interface SilentHost {
  readonly host: string;
  /** Consecutive unanswered calls of all callers; counted up to the number that opens the breaker. */
  readonly failures: number;
  /** `half_open`: one call tries whether the host answers again. */
  readonly breaker: 'closed' | 'open' | 'half_open';
  /** Milliseconds until the next call may try; null unless the breaker is open. */
  readonly pausedForMs: number | null;
}

/** Maximum hosts that are listed: tenants name them. */
const MAX_LISTED = 20;

/** State of a host that has left a call unanswered and answered none since. */
interface Doubt {
  /** Consecutive unanswered calls of all callers. */
  failures: number;
  /** Circuit breakers of callers that pause. */
  readonly callers: Map<string, BreakerState>;
}

/**
 * Circuit breaker per model host and caller, from the calls of this process. While it is open, calls fail with
 * `ModelHostUnavailableError`: the execution is delayed, but keeps its tries and frees its slot. Callers share the
 * count of failures, so that one failure is enough to pause at a failing host, but each caller has its own pause:
 * servers behind one host may answer callers differently. No library is used, because the breaker must use a monotonic
 * clock, and must reject calls beside a probe instead of queueing them in a slot.
 */
export class ModelHosts {
  /** Healthy hosts are not kept. */
  private readonly doubts = new Map<string, Doubt>();
  private readonly listeners: (() => void)[] = [];

  /** @param now monotonic clock, in milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Called when the answer of {@link list} has changed by a call. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Hosts that do not answer, in the order of their first failure. */
  list(): SilentHost[] {
    const now = this.now();
    const doubts = [...this.doubts].slice(0, MAX_LISTED);
    return doubts.map(([host, { failures, callers }]) => ({ host, failures, ...shownState(callers, now) }));
  }

  /**
   * Throws `ModelHostUnavailableError` while this caller has to pause.
   *
   * @param caller groups calls that can expect the same answer
   */
  begin(baseUrl: string, caller: string): HostCall {
    const host = URL.parse(baseUrl)?.host ?? baseUrl;
    const admission = admit(this.stateOf(host, caller), this.now());
    if (admission.kind === 'refused') throw new ModelHostUnavailableError(admission.retryAfterMs);
    const { isProbe } = admission;
    this.set(host, caller, admission.state);
    return {
      isAlive: () => this.forget(host),
      failed: (error) => this.afterError(host, caller, isProbe, error),
    };
  }

  private afterError(host: string, caller: string, isProbe: boolean, error: unknown): unknown {
    const before = this.stateOf(host, caller);
    const now = this.now();
    switch (whatItSays(error)) {
      case 'alive':
        this.forget(host);
        return error;
      case 'nothing':
        this.set(host, caller, afterNothing(before, isProbe, now));
        return error;
      case 'nobody_there': {
        const after = afterFailure(before, isProbe, now);
        this.set(host, caller, after);
        if (after.kind === 'closed') return error;
        return new ModelHostUnavailableError(
          after.kind === 'open' ? Math.max(0, after.until - now) : SOON_MS,
        );
      }
    }
  }

  private stateOf(host: string, caller: string): BreakerState {
    const doubt = this.doubts.get(host);
    if (!doubt) return CLOSED;
    return doubt.callers.get(caller) ?? unheard(doubt.failures, this.now());
  }

  private set(host: string, caller: string, state: BreakerState): void {
    if (state === CLOSED) return;
    const doubt = this.doubts.get(host) ?? { failures: 0, callers: new Map<string, BreakerState>() };
    if (state.kind === 'closed') doubt.failures = state.failures;
    else {
      doubt.failures = TOLERATED_FAILURES;
      doubt.callers.set(caller, state);
    }
    this.doubts.set(host, doubt);
    this.announce();
  }

  private forget(host: string): void {
    if (this.doubts.delete(host)) this.announce();
  }

  private announce(): void {
    for (const listener of this.listeners) listener();
  }
}

/** The state of the caller that pauses longest; a probe of any caller counts as one of all. */
function shownState(
  callers: ReadonlyMap<string, BreakerState>,
  now: number,
): Pick<SilentHost, 'breaker' | 'pausedForMs'> {
  const states = [...callers.values()];
  if (states.some(({ kind }) => kind === 'probing')) return { breaker: 'half_open', pausedForMs: null };
  const ends = states.flatMap((state) => (state.kind === 'open' ? [state.until] : []));
  if (ends.length === 0) return { breaker: 'closed', pausedForMs: null };
  return { breaker: 'open', pausedForMs: Math.max(0, ...ends.map((until) => until - now)) };
}

/** Failures of an engine in this system, too, say nothing about the host that it asks. */
function isOurOwn(reason: string): boolean {
  return OUR_OWN.has(reason) || reason.startsWith('engine_');
}

/** Classifies an error: host unanswering, host alive, or no information. */
function whatItSays(error: unknown): 'nobody_there' | 'alive' | 'nothing' {
  if (!(error instanceof ModelCallError) || isOurOwn(error.reason)) return 'nothing';
  const { status, silenceMs } = error.details;
  if (status !== undefined || !UNREACHABLE.has(error.reason)) return 'alive';
  return typeof silenceMs === 'number' && silenceMs < MIN_SILENCE_MS ? 'nothing' : 'nobody_there';
}
