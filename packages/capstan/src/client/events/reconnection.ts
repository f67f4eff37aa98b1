import { isPassing, pauseBeforeRetry, type Failure } from '../decide-retry.js';

const MAX_PAUSE_MS = 15_000;

/** Decides when a stream is connected again, and when no more. */
export class Reconnection {
  /** Pause that the server asks for between two connections, in ms. */
  retryMs = 1_000;

  private failures = 0;
  private hasConnected = false;

  /**
   * @param maxFirst failures in a row before the first connection
   * @param maxLater failures in a row after it
   */
  constructor(
    private readonly maxFirst: number,
    private readonly maxLater: number,
  ) {}

  /** A connection was made; it counts as a failure until something comes through it. */
  connect(): void {
    this.hasConnected = true;
    this.failures += 1;
  }

  /** Something came: the stream works. */
  succeed(): void {
    this.failures = 0;
  }

  /**
   * Pause in ms before the next connection, or null where there is none.
   * @param failure why there was no connection; null where one ended
   * @param chance number from 0 to 1
   */
  pauseAfter(failure: Failure | null, chance: number): number | null {
    if (failure !== null) {
      const limit = this.hasConnected ? this.maxLater : this.maxFirst;
      if (this.failures >= limit || !isPassing(failure)) return null;
      this.failures += 1;
    }
    // Clients that lost one server together come back one by one.
    if (this.failures === 0) return Math.round(chance * this.retryMs);
    const least = failure?.kind === 'answer' ? (failure.retryAfterMs ?? 0) : 0;
    return Math.max(least, pauseBeforeRetry(this.failures - 1, chance, MAX_PAUSE_MS));
  }
}
