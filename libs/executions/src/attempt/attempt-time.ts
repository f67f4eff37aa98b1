import type { Clock, MonotonicClock, Timers } from '#libs/kernel';
import type { Claim } from '../ports/claim-store.js';

/**
 * The time of one attempt. What it says of times agrees with what the store says, however wrong the machine's own clock
 * is: the time of day is the store's at the claim, carried on by a clock that nobody can set. How much is left until
 * the deadline was decided once, by the store, and is counted down by that same clock.
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

  /** Milliseconds; negative after the deadline. */
  remainingMs(): number {
    return this.claim.remainingMs - (this.clock.monotonic() - this.begunAt);
  }

  /** Calls `act` once, at the deadline; at once where that has passed. */
  atDeadline(act: () => void): void {
    const { remainingMs } = this.claim;
    if (remainingMs <= 0) act();
    else this.cancelDeadline = this.timers.after(remainingMs, act);
  }

  end(): void {
    this.cancelDeadline?.();
  }
}
