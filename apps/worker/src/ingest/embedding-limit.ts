import { Injectable, type OnApplicationShutdown, type Provider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { warnRarely, type Logger } from '#libs/observability';
import { RateLimitStore } from '#libs/persistence';
import { openRateLimiters, type OpenedRateLimiters, type RateLimiter } from '#libs/rate-limits';
import { DataSource } from 'typeorm';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';

const MINUTE_SECONDS = 60;

/** Counts the calls for vectors of each tenant, over all processes. Its connection is opened by the first call. */
@Injectable()
export class EmbeddingLimit implements OnApplicationShutdown {
  private readonly limiters: OpenedRateLimiters;
  private readonly points: number;
  private limiter: RateLimiter | null = null;

  constructor(config: AppConfig, dataSource: DataSource, logger: Logger) {
    this.points = config.knowledge?.embeddingCallsPerMinute ?? 0;
    this.limiters = openRateLimiters({
      redis: config.redis,
      counter: new RateLimitStore(dataSource),
      onFailure: warnRarely(logger, 'calls for vectors are counted by this process alone'),
    });
  }

  /** A call that is to be made. Answers the milliseconds until there is room for one, null where there is now. */
  async take(tenantId: string): Promise<number | null> {
    if (this.points === 0) return null;
    this.limiter ??= this.limiters.limiter({
      ...{ name: 'embeddings', points: this.points, windowSeconds: MINUTE_SECONDS },
    });
    const standing = await this.limiter.take(tenantId);
    return standing.isExceeded ? standing.resetMs : null;
  }

  onApplicationShutdown(): void {
    this.limiters.close();
  }
}

export const embeddingLimitProvider: Provider = {
  provide: EmbeddingLimit,
  inject: [WORKER_CONFIG, DataSource, LOGGER],
  useFactory: (config: AppConfig, dataSource: DataSource, logger: Logger) =>
    new EmbeddingLimit(config, dataSource, logger),
};
