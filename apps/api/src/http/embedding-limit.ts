import type { RateLimiter } from '#libs/rate-limits';
import { rateLimited, secondsToReset } from './request-limits.js';

/** How many calls for vectors a tenant may make; workers count theirs in the same window. */
export class EmbeddingLimit {
  /** @param limiter null for no limit */
  constructor(private readonly limiter: RateLimiter | null) {}

  /** Before a request that makes one. Throws `RATE_LIMITED`. */
  async admit(tenantId: string): Promise<void> {
    const standing = await this.limiter?.take(tenantId);
    if (standing?.isExceeded === true)
      throw rateLimited('calls for vectors of your tenant', secondsToReset(standing));
  }
}
