import type { RateLimiter } from '#libs/rate-limits';
import { rateLimited, secondsToReset } from './request-limits.js';

/** Limits the embedding calls of a tenant, in one window with those of workers. */
export class EmbeddingLimit {
  /** @param limiter null for no limit */
  constructor(private readonly limiter: RateLimiter | null) {}

  /** Counts an embedding call before it is made. Throws `RATE_LIMITED`. */
  async admit(tenantId: string): Promise<void> {
    const standing = await this.limiter?.take(tenantId);
    if (standing?.isExceeded === true)
      throw rateLimited('calls for vectors of your tenant', secondsToReset(standing));
  }
}
