import type { MonotonicClock } from '#libs/kernel';

/** A failure longer ago says nothing of now: perhaps nothing had to be sent since. */
const RECENT_MS = 15_000;

/** Remembers whether jobs can be sent, as those who send them see it. */
export class SendWatch {
  private lastFailureAt: number | null = null;

  constructor(private readonly clock: MonotonicClock) {}

  /** Waits for it, and remembers how it ended. */
  async over(sending: Promise<void>): Promise<void> {
    try {
      await sending;
      this.lastFailureAt = null;
    } catch (error) {
      this.lastFailureAt = this.clock.monotonic();
      throw error;
    }
  }

  /** Throws when the last jobs, a moment ago, could not be sent. */
  check(): Promise<void> {
    const { lastFailureAt } = this;
    const isFailing = lastFailureAt !== null && this.clock.monotonic() - lastFailureAt < RECENT_MS;
    return isFailing ? Promise.reject(new Error('jobs cannot be sent')) : Promise.resolve();
  }
}
