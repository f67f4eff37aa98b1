import type { DataSource } from 'typeorm';
import type { AppConfig } from '#libs/config';
import { chooseEventStream, type EventStreamOptions } from '#libs/event-stream';
import type { Logger } from '#libs/observability';
import { poolOf } from '#libs/persistence';

/** Where live events are: in Redis when it is configured, else in the database of `dataSource`. */
export function eventStreamOptions(
  config: AppConfig,
  dataSource: DataSource,
  logger: Logger,
): EventStreamOptions {
  return chooseEventStream({
    redisUrl: config.redis?.url ?? null,
    pool: poolOf(dataSource),
    databaseUrl: config.database.url,
    retentionMs: config.events.retentionMs,
    log: (message, details) => {
      logger.warn(details, message);
    },
  });
}
