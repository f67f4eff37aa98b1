import { Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { systemClock } from '#libs/kernel';
import { rateLimited, type Logger } from '#libs/observability';
import { RateLimitStore } from '#libs/persistence';
import { openRateLimiters, type OpenedRateLimiters, type RateLimiter } from '#libs/rate-limits';
import { API_CONFIG, API_LOGGER } from '../api.tokens.js';
import { EmbeddingLimit } from './embedding-limit.js';
import { RequestLimits } from './request-limits.js';

const WARN_EVERY_MS = 10_000;
const OPENED = Symbol('opened rate limiters');

/** Closes the limiter's connections when the application stops. */
@Injectable()
class RateLimiterConnections implements OnApplicationShutdown {
  constructor(@Inject(OPENED) private readonly opened: OpenedRateLimiters) {}

  onApplicationShutdown(): void {
    this.opened.close();
  }
}

/** Rate limits of requests by key, tenant and address, and of embeddings by tenant. */
@Module({
  providers: [
    {
      provide: OPENED,
      inject: [API_CONFIG, API_LOGGER, RateLimitStore],
      useFactory: (config: AppConfig, logger: Logger, counter: RateLimitStore) =>
        openRateLimiters({
          redis: config.redis,
          counter,
          onFailure: rateLimited(
            (err: unknown, suppressed: number) =>
              logger.warn({ err, suppressed }, 'rate limits count only the requests of this process'),
            WARN_EVERY_MS,
            () => systemClock.monotonic(),
          ),
        }),
    },
    RateLimiterConnections,
    {
      provide: RequestLimits,
      inject: [API_CONFIG, OPENED],
      useFactory: (config: AppConfig, opened: OpenedRateLimiters) => makeRequestLimits(config, opened),
    },
    {
      provide: EmbeddingLimit,
      inject: [API_CONFIG, OPENED],
      useFactory: ({ embeddings: { limit } }: AppConfig, opened: OpenedRateLimiters) =>
        new EmbeddingLimit(limit === null ? null : opened.limiter(limit)),
    },
  ],
  exports: [RequestLimits, EmbeddingLimit],
})
export class RateLimitsModule {}

/** With `AUTH=off` there is one tenant, so no limit applies. */
function makeRequestLimits({ http, rateLimits }: AppConfig, opened: OpenedRateLimiters): RequestLimits {
  const { windowSeconds } = rateLimits;
  const limiter = (name: string, points: number): RateLimiter | null =>
    points === 0 || http.auth === 'off' ? null : opened.limiter({ name, points, windowSeconds });
  return new RequestLimits({
    key: limiter('key', rateLimits.key),
    tenant: limiter('tenant', rateLimits.tenant),
    address: limiter('address', rateLimits.address),
    failures: limiter('failures', rateLimits.addressFailures),
  });
}
