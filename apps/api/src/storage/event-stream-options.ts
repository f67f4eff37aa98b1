import type { DataSource } from 'typeorm';
import type { AppConfig } from '#libs/config';
import type { EventStreamOptions } from '#libs/event-stream';
import type { Logger } from '#libs/observability';
import { poolOf } from '#libs/persistence';

/** Where live events are: in Redis when it is configured, else in the database of `dataSource`. */
export function eventStreamOptions(
  config: AppConfig,
  dataSource: DataSource,
  logger: Logger,
): EventStreamOptions {
  const log = (message: string, details: object): void => logger.warn(details, message);
  if (config.redis)
    return { backend: 'redis', url: config.redis.url, retentionMs: config.events.retentionMs, log };
  return {
    backend: 'postgres',
    pool: poolOf(dataSource),
    listen: { connectionString: config.database.url },
    log,
  };
}
