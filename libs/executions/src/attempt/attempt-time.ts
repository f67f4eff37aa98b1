import type { Clock, MonotonicClock, Timers } from '#libs/kernel';
import type { Claim } from '../ports/claim-store.js';

/**
 * Time of one attempt, independent of the wall clock of the machine. The time of day is the store's time at the claim
 * plus the monotonic time since; the time left until the deadline was computed by the store and is counted down
 * monotonically.
 */
export class AttemptTime {
  readonly clock: Clock;
  private readonly begunAt: number;
  private cancelDeadline: (() => void) | undefined;

  constructor(
    private readonly claim: Pick<Claim, 'claimedAtMs' | 'remainingMs'>,
    clock: MonotonicClock,
    private readonly timers: Timers,
  ) {
    const begunAt = clock.monotonic();
    this.begunAt = begunAt;
    this.clock = {
      now: () => claim.claimedAtMs + (clock.monotonic() - begunAt),
      monotonic: () => clock.monotonic(),
    };
  }

  /** Milliseconds until the deadline; negative after it. */
  remainingMs(): number {
    return this.claim.remainingMs - (this.clock.monotonic() - this.begunAt);
  }

  /** Calls `act` once at the deadline, or immediately if the deadline has passed. */
  atDeadline(act: () => void): void {
    const { remainingMs } = this.claim;
    if (remainingMs <= 0) act();
    else this.cancelDeadline = this.timers.after(remainingMs, act);
  }

  end(): void {
    this.cancelDeadline?.();
  }
}
