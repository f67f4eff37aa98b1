import type { MonotonicClock } from '#libs/kernel';
import type { StopReason } from '#libs/agent-core';
import { LeaseHolder, type Claim, type Measurement } from '#libs/executions';
import { leaseKeptEveryMs, longestSilenceMs, type ToChild, type ToParent } from './isolation-protocol.js';

/** The part of `process` used here. */
export interface ParentPort {
  on(event: 'message', listener: (message: ToChild) => void): unknown;
  send?(message: ToParent, done: () => void): unknown;
}

/**
 * The worker that started this process for its suspects. It holds the lease; the attempt may continue while the worker
 * sends `lease_kept`.
 */
export class ParentWorker extends LeaseHolder {
  private readonly draining = new AbortController();
  private stopped: StopReason[] = [];
  private abort: AbortController | undefined;
  private heardAt: number;
  private next = Promise.withResolvers<Claim>();

  constructor(
    private readonly port: ParentPort,
    private readonly leaseMs: number,
    private readonly clock: MonotonicClock,
  ) {
    super();
    this.heardAt = clock.monotonic();
    port.on('message', (message) => this.hear(message));
  }

  get drain(): AbortSignal {
    return this.draining.signal;
  }

  /** Reports that this process is ready and waits for the claim. */
  async askForClaim(): Promise<Claim> {
    await this.say({ kind: 'ready' });
    return this.next.promise;
  }

  /** Reports the end of the attempt and waits for the next claim. */
  async askForAnother(): Promise<Claim> {
    this.next = Promise.withResolvers();
    await this.say({ kind: 'done', mayRunMore: true });
    return this.next.promise;
  }

  /** Reports the end of the attempt and that it is the last one; resolves once the message is sent. */
  sayLast(): Promise<void> {
    return this.say({ kind: 'done', mayRunMore: false });
  }

  /** Forwards metrics to the worker, because this process has no metrics endpoint. */
  record(measurement: Measurement): void {
    void this.say({ kind: 'measured', measurement });
  }

  override now(): number {
    return this.clock.monotonic();
  }

  override hold(_claim: Claim, abort: AbortController): () => void {
    this.abort = abort;
    for (const reason of this.stopped) abort.abort(reason);
    const timer = setInterval(() => {
      if (this.isSilent) abort.abort('lease_lost' satisfies StopReason);
    }, leaseKeptEveryMs(this.leaseMs));
    return () => {
      clearInterval(timer);
      this.abort = undefined;
    };
  }

  override holds(): boolean {
    return !this.isSilent && !this.stopped.includes('lease_lost');
  }

  private get isSilent(): boolean {
    return this.clock.monotonic() - this.heardAt > longestSilenceMs(this.leaseMs);
  }

  private hear(message: ToChild): void {
    this.heardAt = this.clock.monotonic();
    switch (message.kind) {
      case 'run':
        // A stop that arrived since the last attempt was meant for it.
        this.stopped = [];
        this.next.resolve(message.claim);
        return;
      case 'stop':
        this.stopped.push(message.reason);
        this.abort?.abort(message.reason);
        return;
      case 'drain':
        this.draining.abort();
        return;
      case 'lease_kept':
    }
  }

  private say(message: ToParent): Promise<void> {
    return new Promise((resolve) => {
      if (this.port.send) this.port.send(message, resolve);
      else resolve();
    });
  }
}
