import { OVER } from '#libs/kernel';

export type StopReason = 'aborted' | 'first_byte_timeout' | 'request_timeout' | 'idle_timeout';

/** Why a call was given up by us, not by the provider. */
export class CallStopped extends Error {
  constructor(
    readonly reason: StopReason,
    readonly afterMs: number | null,
  ) {
    super(reason);
  }
}

/**
 * Watches over one call: it ends when the caller aborts or when what is awaited does not come in time. The connection is
 * closed at once and `race` does not wait for it.
 */
export class CallWatch {
  private readonly controller = new AbortController();
  private readonly stopped = Promise.withResolvers<never>();
  private readonly onAbort = (): void => this.stop(new CallStopped('aborted', null));
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly outer: AbortSignal) {
    this.stopped.promise.catch(() => undefined);
    if (outer.aborted) this.onAbort();
    else outer.addEventListener('abort', this.onAbort, { once: true });
  }

  /** For the connection; aborts when the call is given up and when the watch is closed. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get isStopped(): boolean {
    return this.controller.signal.aborted;
  }

  /** From now on, and after each `progress`, something must happen within `ms`. */
  expectWithin(ms: number, reason: Exclude<StopReason, 'aborted'>): void {
    clearTimeout(this.timer);
    if (this.isStopped) return;
    this.timer = setTimeout(() => this.stop(new CallStopped(reason, ms)), ms);
  }

  progress(): void {
    this.timer?.refresh();
  }

  /** As `work`, but rejects with `CallStopped` the moment the call is given up. */
  async race<T>(work: Promise<T>): Promise<T> {
    return Promise.race([this.stopped.promise, work]);
  }

  /** Ends the watch and, where it is still open, the connection. */
  close(): void {
    clearTimeout(this.timer);
    this.outer.removeEventListener('abort', this.onAbort);
    this.controller.abort(OVER);
  }

  private stop(why: CallStopped): void {
    clearTimeout(this.timer);
    this.stopped.reject(why);
    this.controller.abort(OVER);
  }
}
