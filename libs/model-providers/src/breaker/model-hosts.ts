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

  /** @param now monotonic clock, in milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

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
      isAlive: () => this.doubts.delete(host),
      failed: (error) => this.afterError(host, caller, isProbe, error),
    };
  }

  private afterError(host: string, caller: string, isProbe: boolean, error: unknown): unknown {
    const before = this.stateOf(host, caller);
    const now = this.now();
    switch (whatItSays(error)) {
      case 'alive':
        this.doubts.delete(host);
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
  }
}

/** Classifies an error: host unanswering, host alive, or no information. */
function whatItSays(error: unknown): 'nobody_there' | 'alive' | 'nothing' {
  if (!(error instanceof ModelCallError) || OUR_OWN.has(error.reason)) return 'nothing';
  const { status, silenceMs } = error.details;
  if (status !== undefined || !UNREACHABLE.has(error.reason)) return 'alive';
  return typeof silenceMs === 'number' && silenceMs < MIN_SILENCE_MS ? 'nothing' : 'nobody_there';
}
