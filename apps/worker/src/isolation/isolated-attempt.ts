import type { LoopSignals, StopReason } from '#libs/agent-core';
import type { Claim, ExecutionMeter, IsolationEnding } from '#libs/executions';
import type { MonotonicClock } from '#libs/kernel';
import type { IsolatedProcess } from './isolated-process.js';
import { endingOf, leaseKeptEveryMs, type ToParent } from './isolation-protocol.js';

export interface AttemptOptions {
  readonly leaseMs: number;
  /** Milliseconds after which a hanging process ends itself; it is killed after three times as long. */
  readonly hangLimitMs: number;
  readonly clock: MonotonicClock;
  /** Meter of this process; it records the child's metrics. */
  readonly meter: ExecutionMeter;
}

/** One attempt in a process of its own, seen from the worker that started it. */
export class IsolatedAttempt {
  /** True if the process has run the attempt and can run another one. */
  leavesProcess = false;
  private readonly cleanups: (() => void)[] = [];
  private readonly done = Promise.withResolvers<null>();
  private readonly askedAt: number;
  private hasBegun = false;
  private isDone = false;
  private wasStopped = false;

  constructor(
    private readonly options: AttemptOptions,
    private readonly process: IsolatedProcess,
    private readonly claim: Claim,
    private readonly signals: LoopSignals,
  ) {
    this.askedAt = options.clock.monotonic();
  }

  /** Resolves when the attempt is over, with its process or before it. */
  async ended(): Promise<IsolationEnding> {
    this.process.listen((message) => this.hear(message));
    this.follow(this.signals.drain, () => this.process.say({ kind: 'drain' }));
    this.follow(this.signals.abort, () => this.stop(this.signals.abort.reason as StopReason));
    const beat = setInterval(() => this.keepLease(), leaseKeptEveryMs(this.options.leaseMs));
    if ((await this.process.ready) && !this.wasStopped) this.begin();
    const signal = await Promise.race([this.process.ended, this.done.promise]);
    clearInterval(beat);
    for (const cleanUp of this.cleanups) cleanUp();
    const { isDone, hasBegun, wasStopped } = this;
    return endingOf({ isDone, hasBegun, wasStopped, isDraining: this.signals.drain.aborted, signal });
  }

  private hear(message: ToParent): void {
    if (message.kind === 'measured') this.options.meter.record(message.measurement);
    if (message.kind !== 'done') return;
    this.isDone = true;
    this.leavesProcess = message.mayRunMore;
    if (this.leavesProcess) this.done.resolve(null);
    else this.process.killAfter(this.options.hangLimitMs);
  }

  private begin(): void {
    this.hasBegun = true;
    const elapsedMs = this.options.clock.monotonic() - this.askedAt;
    const remainingMs = this.claim.remainingMs - elapsedMs;
    // The child counts on from this time with its own clock.
    const claimedAtMs = this.claim.claimedAtMs + elapsedMs;
    const isCancelled = this.claim.isCancelled || this.signals.abort.aborted;
    this.process.say({ kind: 'run', claim: { ...this.claim, remainingMs, claimedAtMs, isCancelled } });
    if (this.signals.drain.aborted) this.process.say({ kind: 'drain' });
    // A hanging child ends itself; this kills one that cannot, long after its deadline.
    this.process.killAfter(Math.max(0, remainingMs) + 3 * this.options.hangLimitMs);
  }

  private stop(reason: StopReason): void {
    // After a lost lease the end of the child is no evidence against the execution.
    if (reason === 'lease_lost') {
      this.wasStopped = true;
      this.process.killAfter(this.hasBegun ? this.options.hangLimitMs : 0);
    }
    if (this.hasBegun) this.process.say({ kind: 'stop', reason });
  }

  private keepLease(): void {
    if (!this.signals.abort.aborted || !isLeaseLost(this.signals.abort))
      this.process.say({ kind: 'lease_kept' });
  }

  private follow(signal: AbortSignal, react: () => void): void {
    if (signal.aborted) {
      react();
      return;
    }
    signal.addEventListener('abort', react, { once: true });
    this.cleanups.push(() => {
      signal.removeEventListener('abort', react);
    });
  }
}

/** True if another worker may claim the execution. */
export function isLeaseLost({ reason }: AbortSignal): boolean {
  return reason === ('lease_lost' satisfies StopReason);
}
