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
 * Ways to fail that say: nobody is there. Whoever answers is alive, if only with 503: what it says may hold for one
 * caller alone.
 */
const FOUND_NOBODY: ReadonlySet<string> = new Set([
  'connection_failed',
  'first_byte_timeout',
  'request_timeout',
]);
/** Ends that the host has no part in. */
const OUR_OWN: ReadonlySet<string> = new Set(['aborted', 'invalid_parameters']);
/** A shorter patience says more about whoever set it than about the host. */
const SHORTEST_PATIENCE_MS = 10_000;
/** For whoever failed while another call tries the host. */
const SOON_MS = 1_000;

/** One call of a host, from its admission to its end. */
export interface HostCall {
  /** The host has begun to answer. */
  isAlive(): void;
  /** Answers what the caller should throw: the same error, or that the host is to be left alone for a while. */
  failed(error: unknown): unknown;
}

/** What is known of a host that left somebody without an answer, and nobody with one since. */
interface Doubt {
  /** Calls in a row that found nobody, whoever made them. */
  failures: number;
  /** Those who leave it alone, each by its own tries. */
  readonly callers: Map<string, BreakerState>;
}

/**
 * Which model hosts answer, as the calls of this process have shown. A host that nobody reaches is left alone for a while:
 * its calls are refused with `ModelHostUnavailableError`, which costs an execution neither a try nor a place, only time.
 *
 * Callers warn each other, and never keep each other waiting: at a host in doubt the first failure of a caller is
 * enough, but it is its own. Behind one host many may stand, and be answered differently.
 *
 * Our own rather than a library's: it must not follow the wall clock, which may be set, and whoever comes beside a probe
 * has to go away and not wait for it in the place of somebody else.
 */
export class ModelHosts {
  /** Hosts that are well are not kept in mind. */
  private readonly doubts = new Map<string, Doubt>();

  /** @param now milliseconds of a clock that is never set */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Throws `ModelHostUnavailableError` while the host is to be left alone by this caller.
   * @param caller for whom and for what: calls that can expect the same answer have the same caller
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

/** What an error says of the host. */
function whatItSays(error: unknown): 'nobody_there' | 'alive' | 'nothing' {
  if (!(error instanceof ModelCallError) || OUR_OWN.has(error.reason)) return 'nothing';
  const { status, patienceMs } = error.details;
  if (status !== undefined || !FOUND_NOBODY.has(error.reason)) return 'alive';
  return typeof patienceMs === 'number' && patienceMs < SHORTEST_PATIENCE_MS ? 'nothing' : 'nobody_there';
}
