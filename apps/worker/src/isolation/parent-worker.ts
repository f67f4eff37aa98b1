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
 * The worker that started this process for a suspect. It holds the lease; the attempt may continue while the worker sends
 * `lease_kept`.
 */
export class ParentWorker extends LeaseHolder {
  private readonly draining = new AbortController();
  private readonly stopped: StopReason[] = [];
  private abort: AbortController | undefined;
  private heardAt: number;
  private takeClaim: (claim: Claim) => void = () => undefined;
  private readonly claim = new Promise<Claim>((resolve) => {
    this.takeClaim = resolve;
  });

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
    return this.claim;
  }

  /** Resolves once the message is sent. */
  sayDone(): Promise<void> {
    return this.say({ kind: 'done' });
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
        this.takeClaim(message.claim);
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
