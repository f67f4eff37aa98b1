import type { MonotonicClock } from '#libs/kernel';
import type { Claim } from '../ports/claim-store.js';
import type { LeaseHolder } from '../ports/lease-holder.js';
import type { RetryPolicy } from '../ports/retry-policy.js';

const MIN_WAIT_MS = 25;
const MAX_WAIT_MS = 1_000;

export interface LeaseGraceOptions {
  /** Maximum time for retrying one operation, in milliseconds from its first failure. */
  readonly longestMs: number;
  readonly clock: MonotonicClock;
  readonly wait: (ms: number) => Promise<unknown>;
  readonly random: () => number;
}

/**
 * Retries storage operations while the attempt holds its lease, since no other worker could do better. The time is
 * limited because the lease may be renewed while other queries fail. Retries also end when the worker drains.
 */
export class LeaseGrace implements RetryPolicy {
  private failingSince = 0;

  constructor(
    private readonly leases: Pick<LeaseHolder, 'holds'>,
    private readonly claim: Pick<Claim, 'token'>,
    private readonly drain: AbortSignal,
    private readonly options: LeaseGraceOptions,
  ) {}

  async again(failedTries: number): Promise<boolean> {
    const { clock, wait, random } = this.options;
    if (failedTries === 1) this.failingSince = clock.monotonic();
    if (!this.mayGoOn()) return false;
    const longest = Math.min(MAX_WAIT_MS, MIN_WAIT_MS * 2 ** failedTries);
    await wait(longest * (0.5 + random() / 2));
    return this.mayGoOn();
  }

  private mayGoOn(): boolean {
    const { clock, longestMs } = this.options;
    const isInTime = clock.monotonic() - this.failingSince < longestMs;
    return isInTime && !this.drain.aborted && this.leases.holds(this.claim);
  }
}
