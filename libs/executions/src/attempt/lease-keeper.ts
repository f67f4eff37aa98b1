import type { StopReason } from '#libs/agent-core';
import { every, OneAtATime, pause, type MonotonicClock, type Timers } from '#libs/kernel';
import type { Claim } from '../ports/claim-store.js';
import { LeaseHolder } from '../ports/lease-holder.js';

/** Renewals per lease duration; after several failures the process fences itself before the lease expires. */
const RENEWALS_PER_LEASE = 4.5;
/** Interval between checks for requested cancellations, in milliseconds. */
const CANCELLATION_EVERY_MS = 500;
const SELF_FENCE_SHARE = 35 / 45;

/** Periodic database queries, run on a connection of their own so that other work cannot delay them. */
export interface Heartbeat {
  /** Returns the tokens of the leases that this process still holds. */
  renew(claims: readonly Claim[], leaseMs: number): Promise<ReadonlySet<string>>;
  /** Returns the executions with a requested cancellation. */
  findCancelled(executionIds: readonly string[]): Promise<readonly string[]>;
}

interface HeldLease {
  readonly claim: Claim;
  readonly abort: AbortController;
  lastRenewedAt: number;
  /** True once another worker may claim the execution. */
  isLost: boolean;
}

/**
 * Renews the leases of all executions of this process in one statement. A lease that is lost, or was not renewed in time,
 * aborts its execution: this worker fences itself before another one claims it.
 */
export class LeaseKeeper extends LeaseHolder {
  /** Keyed by token: a second claim of the same execution by this process is a separate lease. */
  private readonly held = new Map<string, HeldLease>();
  private stopRenewing: (() => void) | undefined;
  private stopAsking: (() => void) | undefined;
  /** Aborted once nothing is held; undefined until the process is to end. */
  private cuttingOff: AbortController | undefined;
  private readonly renewals = new OneAtATime();
  private readonly questions = new OneAtATime();

  constructor(
    private readonly heartbeat: Heartbeat,
    private readonly leaseMs: number,
    private readonly clock: MonotonicClock,
    private readonly timers: Timers,
    private readonly onError: (error: unknown) => void,
  ) {
    super();
  }

  override now(): number {
    return this.clock.monotonic();
  }

  /** Renews the lease until the returned function is called. */
  override hold(claim: Claim, abort: AbortController, askedAt = this.clock.monotonic()): () => void {
    const { token } = claim;
    const lease = { claim, abort, lastRenewedAt: askedAt, isLost: false };
    this.held.set(token, lease);
    if (this.cuttingOff) this.fence(lease);
    this.fenceStale();
    this.stopRenewing ??= every(this.timers, this.leaseMs / RENEWALS_PER_LEASE, () => void this.renew());
    this.stopAsking ??= every(this.timers, CANCELLATION_EVERY_MS, () => void this.askForCancellations());
    return () => this.release(token);
  }

  /** Whether this process, to its knowledge, may still write under the claim. */
  override holds({ token }: Pick<Claim, 'token'>): boolean {
    this.fenceStale();
    return this.held.get(token)?.isLost === false;
  }

  /** Fences all executions of this process: other workers may claim them at any moment. */
  fenceAll(): void {
    for (const lease of this.held.values()) this.fence(lease);
  }

  /**
   * Fences all executions, also those that are claimed later; resolves once their attempts have ended, after at most
   * `forMs` milliseconds.
   */
  async cutOff(forMs: number): Promise<void> {
    this.cuttingOff = new AbortController();
    this.fenceAll();
    if (this.held.size > 0) await pause(this.timers, forMs, this.cuttingOff.signal);
  }

  private release(token: string): void {
    this.held.delete(token);
    if (this.held.size > 0) return;
    this.stopRenewing?.();
    this.stopAsking?.();
    this.stopRenewing = undefined;
    this.stopAsking = undefined;
    this.cuttingOff?.abort();
  }

  /**
   * Extends the leases that this process still holds and fences the others. Runs periodically; may also be called at any
   * time.
   */
  renew(): Promise<void> {
    this.fenceStale();
    return this.renewals.orSkip(() => this.renewHeld());
  }

  /** Aborts executions with a requested cancellation. */
  askForCancellations(): Promise<void> {
    return this.questions.orSkip(() => this.stopCancelled());
  }

  private async renewHeld(): Promise<void> {
    const asked = [...this.held.values()];
    if (asked.length === 0) return;
    const askedAt = this.clock.monotonic();
    try {
      const kept = await this.heartbeat.renew(
        asked.map((lease) => lease.claim),
        this.leaseMs,
      );
      for (const lease of asked) {
        if (kept.has(lease.claim.token)) lease.lastRenewedAt = askedAt;
        else this.fence(lease);
      }
    } catch (error) {
      this.onError(error);
    }
  }

  private async stopCancelled(): Promise<void> {
    const asked = [...this.held.values()];
    if (asked.length === 0) return;
    try {
      const ids = asked.map((lease) => lease.claim.executionId);
      const cancelled = new Set(await this.heartbeat.findCancelled(ids));
      for (const { claim, abort } of asked) {
        if (cancelled.has(claim.executionId)) abort.abort('cancelled' satisfies StopReason);
      }
    } catch (error) {
      this.onError(error);
    }
  }

  private fenceStale(): void {
    const staleBefore = this.clock.monotonic() - this.leaseMs * SELF_FENCE_SHARE;
    for (const lease of this.held.values()) if (lease.lastRenewedAt < staleBefore) this.fence(lease);
  }

  private fence(lease: HeldLease): void {
    lease.isLost = true;
    lease.abort.abort('lease_lost' satisfies StopReason);
  }
}
