import { ModelCallError, ModelHostUnavailableError } from '#libs/agent-core';
import { admit, afterFailure, afterNothing, CLOSED, type BreakerState } from './breaker-state.js';

/** Ways to fail that say: nobody is there. Whoever answers with anything else is alive. */
const FOUND_NOBODY: ReadonlySet<string> = new Set([
  'connection_failed',
  'first_byte_timeout',
  'request_timeout',
]);
/** Ends that the host has no part in. */
const OUR_OWN: ReadonlySet<string> = new Set(['aborted', 'invalid_parameters']);
/** What stands in front of the host says that the host is not there. A 500 may be the fault of the request. */
const GATEWAY_STATUSES: ReadonlySet<unknown> = new Set([502, 503, 504]);
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

/**
 * Which model hosts answer, as the calls of this process have shown. A host that nobody reaches is left alone for a while:
 * its calls are refused with `ModelHostUnavailableError`, which costs an execution neither a try nor a place, only time.
 *
 * Our own rather than a library's: it must not follow the wall clock, which may be set, and whoever comes beside a probe
 * has to go away and not wait for it in the place of somebody else.
 */
export class ModelHosts {
  private readonly states = new Map<string, BreakerState>();

  /** @param now milliseconds of a clock that is never set */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Throws `ModelHostUnavailableError` while the host is to be left alone. */
  begin(baseUrl: string): HostCall {
    const host = URL.parse(baseUrl)?.host ?? baseUrl;
    const admission = admit(this.states.get(host) ?? CLOSED, this.now());
    if (admission.kind === 'refused') throw new ModelHostUnavailableError(admission.retryAfterMs);
    const { isProbe } = admission;
    this.set(host, admission.state);
    return {
      isAlive: () => this.set(host, CLOSED),
      failed: (error) => this.afterError(host, isProbe, error),
    };
  }

  private afterError(host: string, isProbe: boolean, error: unknown): unknown {
    const before = this.states.get(host) ?? CLOSED;
    const now = this.now();
    switch (whatItSays(error)) {
      case 'alive':
        this.set(host, CLOSED);
        return error;
      case 'nothing':
        this.set(host, afterNothing(before, isProbe, now));
        return error;
      case 'nobody_there': {
        const after = afterFailure(before, isProbe, now);
        this.set(host, after);
        if (after.kind === 'closed') return error;
        return new ModelHostUnavailableError(
          after.kind === 'open' ? Math.max(0, after.until - now) : SOON_MS,
        );
      }
    }
  }

  /** Hosts that are well are not kept in mind. */
  private set(host: string, state: BreakerState): void {
    if (state.kind === 'closed' && state.failures === 0) this.states.delete(host);
    else this.states.set(host, state);
  }
}

/** What an error says of the host. */
function whatItSays(error: unknown): 'nobody_there' | 'alive' | 'nothing' {
  if (!(error instanceof ModelCallError) || OUR_OWN.has(error.reason)) return 'nothing';
  const { status, patienceMs } = error.details;
  if (GATEWAY_STATUSES.has(status)) return 'nobody_there';
  if (status !== undefined || !FOUND_NOBODY.has(error.reason)) return 'alive';
  return typeof patienceMs === 'number' && patienceMs < SHORTEST_PATIENCE_MS ? 'nothing' : 'nobody_there';
}
