import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { warnRarely, type Logger } from '#libs/observability';
import { RateLimitStore } from '#libs/persistence';
import { openRateLimiters, type OpenedRateLimiters, type RateLimiter } from '#libs/rate-limits';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';

/** Limits the embedding calls of each tenant across all processes. The first call opens its connection. */
@Injectable()
export class EmbeddingLimit implements OnApplicationShutdown {
  private readonly limiters: OpenedRateLimiters;
  private readonly limit: AppConfig['embeddings']['limit'];
  private limiter: RateLimiter | null = null;

  constructor(
    @Inject(WORKER_CONFIG) config: AppConfig,
    counter: RateLimitStore,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.limit = config.embeddings.limit;
    this.limiters = openRateLimiters({
      redis: config.redis,
      counter,
      onFailure: warnRarely(logger, 'calls for vectors are counted by this process alone'),
    });
  }

  /** Counts a call; returns the milliseconds until one is allowed, or null if it is allowed now. */
  async take(tenantId: string): Promise<number | null> {
    if (this.limit === null) return null;
    this.limiter ??= this.limiters.limiter(this.limit);
    const standing = await this.limiter.take(tenantId);
    return standing.isExceeded ? standing.resetMs : null;
  }

  onApplicationShutdown(): void {
    this.limiters.close();
  }
}
