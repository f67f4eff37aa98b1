import type { MonotonicClock } from '#libs/kernel';
import type { BlobStore } from '#libs/knowledge';

/** Minimum interval of checks in milliseconds, so that the probes of many processes do not load the store. */
const LOOK_EVERY_MS = 15_000;

/** Cached availability of the blob store. */
export class BlobWatch {
  private lookedAt = -Infinity;
  private look: Promise<void> = Promise.resolve();
  private isLooking = false;

  constructor(
    private readonly blobs: Pick<BlobStore, 'check'>,
    private readonly clock: MonotonicClock,
  ) {}

  /** Throws if the store fails. Checks within the interval share one result. */
  check(): Promise<void> {
    const now = this.clock.monotonic();
    if (!this.isLooking && now - this.lookedAt >= LOOK_EVERY_MS) {
      this.lookedAt = now;
      this.isLooking = true;
      this.look = this.blobs.check().finally(() => (this.isLooking = false));
      // Prevents an unhandled rejection, since the caller may have timed out.
      this.look.catch(() => undefined);
    }
    return this.look;
  }
}
