import type { MonotonicClock } from '#libs/kernel';
import type { BlobStore } from '#libs/knowledge';

/** However often somebody asks: a store of many processes is not to be asked by the probes of each. */
const LOOK_EVERY_MS = 15_000;

/** Whether the store of files does what it is asked, as it was seen a moment ago. */
export class BlobWatch {
  private lookedAt = -Infinity;
  private look: Promise<void> = Promise.resolve();
  private isLooking = false;

  constructor(
    private readonly blobs: Pick<BlobStore, 'check'>,
    private readonly clock: MonotonicClock,
  ) {}

  /** Throws where it does not. Looks that come in the meantime share one. */
  check(): Promise<void> {
    const now = this.clock.monotonic();
    if (!this.isLooking && now - this.lookedAt >= LOOK_EVERY_MS) {
      this.lookedAt = now;
      this.isLooking = true;
      this.look = this.blobs.check().finally(() => (this.isLooking = false));
      // Whoever asked may have given up by then.
      this.look.catch(() => undefined);
    }
    return this.look;
  }
}
