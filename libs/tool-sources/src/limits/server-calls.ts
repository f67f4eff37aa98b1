import { Turns } from '#libs/concurrency';
import type { Timers } from '#libs/kernel';
import { admit, afterFailure, afterNothing, CLOSED, type BreakerState } from '#libs/guarded-fetch';
import { wasUnreachable, type ToolServer } from '#libs/tooling';

/** The call was not sent: the circuit breaker is open, or the server's concurrency limit is reached. */
export class ServerCallRefused extends Error {
  override readonly name = 'ServerCallRefused';

  constructor(readonly reason: 'silent' | 'busy') {
    super(
      reason === 'silent'
        ? 'the tool server did not answer lately and is left alone for a moment'
        : 'too many calls of the tool server are under way',
    );
  }
}

/** Maximum queued calls per server; further calls are refused at once. */
const MAX_WAITING = 256;
/** Maximum wait in the queue, in milliseconds; at most half of the call's timeout. */
const MAX_WAIT_MS = 10_000;
/** Timeouts below this many milliseconds do not count as failures of the server. */
const MIN_TIMEOUT_MS = 10_000;
/** Maximum servers with remembered failures; the oldest idle ones are evicted. */
const MAX_KEPT = 10_000;

interface KnownServer {
  readonly room: Turns;
  readonly version: number;
  breaker: BreakerState;
}

export interface ServerCallsDependencies {
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
  readonly timers: Timers;
}

type CalledServer = Pick<ToolServer, 'id' | 'version' | 'limits'>;

/** Concurrency limit and circuit breaker per tool server in this process. Retries and timeouts are up to the caller. */
export class ServerCalls {
  private readonly servers = new Map<string, KnownServer>();

  constructor(private readonly deps: ServerCallsDependencies) {}

  /** Number of servers tracked. */
  get size(): number {
    return this.servers.size;
  }

  /**
   * Throws `ServerCallRefused` if the call was not sent, the signal's reason if it ends the wait, and otherwise the
   * error of `call`. An aborted signal frees the slot at once, even if `call` ignores it.
   *
   * @param what a timed-out opening counts as a failure of the server; a timed-out call does not, since one tool may be
   *   slow
   */
  async run<Answer>(
    server: CalledServer,
    what: 'opening' | 'call',
    signal: AbortSignal,
    call: () => Promise<Answer>,
  ): Promise<Answer> {
    const known = this.known(server);
    try {
      this.assertAnswering(known, false);
      await this.enter(known.room, server, signal);
    } catch (error) {
      this.forget(server.id, known);
      throw error;
    }
    const mayBeAway = what === 'opening' && server.limits.timeout_ms >= MIN_TIMEOUT_MS;
    return this.begin(known, server, { signal, call, mayBeAway });
  }

  private async enter(room: Turns, { limits }: CalledServer, signal: AbortSignal): Promise<void> {
    const { timeout_ms, concurrency } = limits;
    const tooLong = new AbortController();
    const waitMs = Math.min(timeout_ms / 2, MAX_WAIT_MS);
    const cancel = this.deps.timers.after(waitMs, () => tooLong.abort());
    try {
      const isInside = await room.enter(concurrency, () => AbortSignal.any([signal, tooLong.signal]));
      if (isInside) return;
      signal.throwIfAborted();
      throw new ServerCallRefused('busy');
    } finally {
      cancel();
    }
  }

  private async begin<Answer>(
    known: KnownServer,
    { id, limits }: CalledServer,
    { signal, call, mayBeAway }: BegunCall<Answer>,
  ): Promise<Answer> {
    let isInside = true;
    const end = (breaker: BreakerState): void => {
      if (!isInside) return;
      isInside = false;
      signal.removeEventListener('abort', abort);
      known.breaker = breaker;
      known.room.leave(limits.concurrency);
      this.forget(id, known);
    };
    let isProbe = false;
    const abort = (): void =>
      end(this.afterAbort(known.breaker, isProbe, mayBeAway && isTimeout(signal.reason)));
    try {
      signal.throwIfAborted();
      isProbe = this.assertAnswering(known, true);
      signal.addEventListener('abort', abort);
      const answer = await call();
      end(CLOSED);
      return answer;
    } catch (error) {
      end(this.afterError(known.breaker, isProbe, error));
      throw error;
    }
  }

  /** Returns true if this call is the probe of a half-open circuit breaker. */
  private assertAnswering(known: KnownServer, isBeginning: boolean): boolean {
    const admission = admit(known.breaker, this.deps.now());
    if (admission.kind === 'refused') throw new ServerCallRefused('silent');
    if (isBeginning) known.breaker = admission.state;
    return admission.isProbe;
  }

  private afterAbort(state: BreakerState, isProbe: boolean, isSilent: boolean): BreakerState {
    const now = this.deps.now();
    return isSilent ? afterFailure(state, isProbe, now) : afterNothing(state, isProbe, now);
  }

  private afterError(state: BreakerState, isProbe: boolean, error: unknown): BreakerState {
    if (error instanceof ServerCallRefused) return state;
    return wasUnreachable(error) ? afterFailure(state, isProbe, this.deps.now()) : CLOSED;
  }

  /** A changed configuration resets the circuit breaker, because it may lead to another server. */
  private known({ id, version }: CalledServer): KnownServer {
    const known = this.servers.get(id);
    if (known?.version === version) return known;
    const made: KnownServer = { room: known?.room ?? new Turns(MAX_WAITING), version, breaker: CLOSED };
    this.servers.set(id, made);
    return made;
  }

  /** Evicts a server without failures and running calls, and the oldest idle servers beyond the limit. */
  private forget(id: string, known: KnownServer): void {
    const isWell = known.breaker.kind === 'closed' && known.breaker.failures === 0;
    if (known.room.isEmpty && isWell && this.servers.get(id) === known) this.servers.delete(id);
    if (this.servers.size <= MAX_KEPT) return;
    for (const [oldest, { room }] of this.servers) {
      if (this.servers.size <= MAX_KEPT) return;
      if (room.isEmpty) this.servers.delete(oldest);
    }
  }
}

interface BegunCall<Answer> {
  readonly signal: AbortSignal;
  readonly call: () => Promise<Answer>;
  /** True if a timeout counts as a failure of the server. */
  readonly mayBeAway: boolean;
}

function isTimeout(reason: unknown): boolean {
  return typeof reason === 'object' && reason !== null && Reflect.get(reason, 'name') === 'TimeoutError';
}
