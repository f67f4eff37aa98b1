import type { MonotonicClock } from '#libs/kernel';
import { isInfrastructureFailure, type ClassifyStorageError } from '../ports/storage-failure.js';

const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 5_000;

export interface BackgroundReleaseOptions {
  /** Maximum time of retries, in milliseconds; later the expired lease makes the execution claimable. */
  readonly leaseMs: number;
  readonly clock: MonotonicClock;
  readonly wait: (ms: number) => Promise<unknown>;
  readonly classifyStorageError: ClassifyStorageError;
  readonly onError: (error: unknown) => void;
}

/**
 * Releases claims. Failed releases are retried in the background until the lease has passed, because an execution of a
 * live worker must not count as lost. Every release is fenced by the claim's token, so a late one is harmless.
 */
export class BackgroundReleases {
  private readonly pending = new Set<Promise<void>>();

  constructor(private readonly options: BackgroundReleaseOptions) {}

  /**
   * Returns the result of `release`; undefined when it continues in the background. Throws errors that are not transient.
   */
  async release<T>(release: () => Promise<T>): Promise<T | undefined> {
    try {
      return await release();
    } catch (error) {
      if (!this.isPassing(error)) throw error;
      this.options.onError(error);
      const retrying = this.retry(release).finally(() => this.pending.delete(retrying));
      this.pending.add(retrying);
      return undefined;
    }
  }

  /** Resolves once no retries are pending. */
  async settled(): Promise<void> {
    while (this.pending.size > 0) await Promise.all(this.pending);
  }

  private async retry(release: () => Promise<unknown>): Promise<void> {
    const { clock, leaseMs, onError, wait } = this.options;
    const until = clock.monotonic() + leaseMs;
    for (let pauseMs = FIRST_PAUSE_MS; clock.monotonic() < until; pauseMs *= 2) {
      await wait(Math.min(pauseMs, MAX_PAUSE_MS));
      try {
        await release();
        return;
      } catch (error) {
        onError(error);
        if (!this.isPassing(error)) return;
      }
    }
  }

  private isPassing(error: unknown): boolean {
    return isInfrastructureFailure(error, this.options.classifyStorageError);
  }
}
