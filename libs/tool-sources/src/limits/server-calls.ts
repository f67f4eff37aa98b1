import { Turns } from '#libs/concurrency';
import type { Timers } from '#libs/kernel';
import { admit, afterFailure, afterNothing, CLOSED, type BreakerState } from '#libs/guarded-fetch';
import { foundNobody, type ToolServer } from '#libs/tooling';

/** Nothing was sent to the server: it is left alone for a while, or too much is under way with it. */
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

/** Calls in line for one server; beyond that the next one is refused at once. */
const MOST_WAITING = 256;
/** A call waits for its place half of its time at most, and never longer than this. */
const LONGEST_WAIT_MS = 10_000;
/** A shorter patience says more about whoever set it than about the server. */
const SHORTEST_PATIENCE_MS = 10_000;
/** Servers that nobody reached are kept in mind, the latest of them. */
const MOST_KEPT = 10_000;

interface KnownServer {
  readonly room: Turns;
  readonly version: number;
  breaker: BreakerState;
}

export interface ServerCallsDependencies {
  /** Milliseconds of a clock that nobody sets. */
  readonly now: () => number;
  readonly timers: Timers;
}

type CalledServer = Pick<ToolServer, 'id' | 'version' | 'limits'>;

/**
 * The calls of tool servers in this process: no server gets more at once than its `concurrency`, and one that nobody
 * reaches is left alone for a while. Whether a call is repeated, and how long it may take, is decided by whoever runs it.
 */
export class ServerCalls {
  private readonly servers = new Map<string, KnownServer>();

  constructor(private readonly deps: ServerCallsDependencies) {}

  /** How many servers are kept in mind. */
  get size(): number {
    return this.servers.size;
  }

  /**
   * Throws `ServerCallRefused` where the call was not begun, what the signal says where that ended the wait, and whatever
   * `call` throws, however late: its place is free once the signal aborts, whether `call` minds it or not.
   *
   * @param what a server that lets an opening wait until its time is up is away; one tool that is slow says nothing of the
   *   others
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
    const mayBeAway = what === 'opening' && server.limits.timeout_ms >= SHORTEST_PATIENCE_MS;
    return this.begin(known, server, { signal, call, mayBeAway });
  }

  private async enter(room: Turns, { limits }: CalledServer, signal: AbortSignal): Promise<void> {
    const { timeout_ms, concurrency } = limits;
    const tooLong = new AbortController();
    const waitMs = Math.min(timeout_ms / 2, LONGEST_WAIT_MS);
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

  /** Answers whether the call finds out for the others if the server is there. */
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
    return foundNobody(error) ? afterFailure(state, isProbe, this.deps.now()) : CLOSED;
  }

  /** A server that was changed may be another one: what was known of the one before says nothing. */
  private known({ id, version }: CalledServer): KnownServer {
    const known = this.servers.get(id);
    if (known?.version === version) return known;
    const made: KnownServer = { room: known?.room ?? new Turns(MOST_WAITING), version, breaker: CLOSED };
    this.servers.set(id, made);
    return made;
  }

  /** A server that is well, and has nothing under way, is not kept in mind. */
  private forget(id: string, known: KnownServer): void {
    const isWell = known.breaker.kind === 'closed' && known.breaker.failures === 0;
    if (known.room.isEmpty && isWell && this.servers.get(id) === known) this.servers.delete(id);
    if (this.servers.size <= MOST_KEPT) return;
    for (const [oldest, { room }] of this.servers) {
      if (this.servers.size <= MOST_KEPT) return;
      if (room.isEmpty) this.servers.delete(oldest);
    }
  }
}

interface BegunCall<Answer> {
  readonly signal: AbortSignal;
  readonly call: () => Promise<Answer>;
  /** Whether the end of its time says that the server does not answer. */
  readonly mayBeAway: boolean;
}

function isTimeout(reason: unknown): boolean {
  return typeof reason === 'object' && reason !== null && Reflect.get(reason, 'name') === 'TimeoutError';
}
