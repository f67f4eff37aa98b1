import { OVER } from '#libs/kernel';

export type StopReason = 'aborted' | 'first_byte_timeout' | 'request_timeout' | 'idle_timeout';

/** The call was aborted by this process, not by the provider. */
export class CallStopped extends Error {
  constructor(
    readonly reason: StopReason,
    readonly afterMs: number | null,
  ) {
    super(reason);
  }
}

/**
 * Watches one call: stops it when the caller aborts or a timeout passes. The connection is closed at once, and `race`
 * does not wait for that.
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

  /** Signal for the connection; aborts when the call is stopped and when the watch is closed. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get isStopped(): boolean {
    return this.controller.signal.aborted;
  }

  /** Starts a timeout of `ms` milliseconds, which every `progress` restarts. */
  expectWithin(ms: number, reason: Exclude<StopReason, 'aborted'>): void {
    clearTimeout(this.timer);
    if (this.isStopped) return;
    this.timer = setTimeout(() => this.stop(new CallStopped(reason, ms)), ms);
  }

  progress(): void {
    this.timer?.refresh();
  }

  /** Resolves like `work`, but rejects with `CallStopped` as soon as the call is stopped. */
  async race<T>(work: Promise<T>): Promise<T> {
    return Promise.race([this.stopped.promise, work]);
  }

  /** Ends the watch, and closes the connection if it is still open. */
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
