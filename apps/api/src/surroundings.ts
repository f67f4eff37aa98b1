import { Module, type DynamicModule, type InjectionToken } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { AppConfig } from '#libs/config';
import { chooseEventStream, EventStreamHealth, EventStreamModule } from '#libs/event-stream';
import { EventStream, ExecutionMeter } from '#libs/executions';
import { systemClock } from '#libs/kernel';
import { BlobMetrics, Metrics, PoolMetrics, rateLimited, type Logger } from '#libs/observability';
import { poolOf, watchedConnections } from '#libs/persistence';
import { JobCaller, JobProducer, QueueHealth, QueueModule } from '#libs/queue';
import { DataSource } from 'typeorm';
import { meterProviders } from './metrics/metrics.providers.js';
import { databaseOptions } from './database-options.js';

const WARN_EVERY_MS = 10_000;

/** Modules with the API's connections and metrics; they provide all of `SHARED_WITH_API`. */
export type Surroundings = readonly DynamicModule[];

/** Providers that an API shares with a worker in its process; it neither creates nor closes them. */
export const SHARED_WITH_API: readonly InjectionToken[] = [
  DataSource,
  JobProducer,
  JobCaller,
  QueueHealth,
  EventStream,
  EventStreamHealth,
  Metrics,
  ExecutionMeter,
  BlobMetrics,
  PoolMetrics,
];

@Module({})
class ApiMeters {}

/** Connections and metrics of a process that is only an API. */
export function ownSurroundings(config: AppConfig, logger: Logger): Surroundings {
  return [
    TypeOrmModule.forRoot(databaseOptions(config, logger)),
    QueueModule.forRoot({
      redisUrl: config.redis?.url ?? null,
      databaseUrl: config.database.directUrl,
      ...(config.redis && { silenceMs: config.redis.silenceMs, namespace: config.redis.namespace }),
      connections: watchedConnections(config.database),
      onError: rateLimited(warnOfQueue(logger), WARN_EVERY_MS, () => systemClock.monotonic()),
    }),
    EventStreamModule.forRoot({
      inject: [DataSource],
      useFactory: (dataSource: DataSource) =>
        chooseEventStream(config, {
          pool: poolOf(dataSource),
          log: (message, details) => {
            logger.warn(details, message);
          },
        }),
    }),
    {
      module: ApiMeters,
      global: true,
      providers: meterProviders,
      exports: [Metrics, ExecutionMeter, BlobMetrics, PoolMetrics],
    },
  ];
}

/** Logs queue errors, which come several times a second during an outage. */
function warnOfQueue(logger: Logger): (err: Error, suppressed: number) => void {
  return (err, suppressed) => logger.warn({ err, suppressed }, 'queue connection error');
}
