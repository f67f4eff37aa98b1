import { Module, type DynamicModule, type INestApplicationContext, type Type } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import type { AppConfig } from '#libs/config';
import { createLogger, NestLogger, warnOfMisspeltVariables, type Logger } from '#libs/observability';
import { watchedConnections } from '#libs/persistence';
import { QueueModule } from '#libs/queue';
import { BlobsModule } from './blobs/blobs.module.js';
import { DatabaseCheck } from './database-check.js';
import { DispatchModule } from './dispatch/dispatch.module.js';
import { withEngineRoom } from './execute/engine-runs.js';
import { ExecuteModule } from './execute/execute.module.js';
import { HealthModule } from './health/health.module.js';
import { HousekeepingModule } from './housekeeping/housekeeping.module.js';
import { DocumentsModule } from './ingest/documents.module.js';
import { jobs } from './jobs/jobs.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { DiscoveredRegistrar, WorkerRegistrar } from './queue/worker-registrar.js';
import { ShutdownModule } from './shutdown/shutdown.module.js';
import { surroundings } from './surroundings.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { WorkerLifecycle } from './worker-lifecycle.js';
import { HEALTH_PORT } from './worker.tokens.js';

/** `alone`: the process is only a worker. `beside_api`: it shares its process and connections with an API. */
export type WorkerPlace = 'alone' | 'beside_api';

/** The worker process; the configuration selects its roles. */
@Module({})
export class WorkerModule {
  static forRoot(given: AppConfig, logger: Logger, place: WorkerPlace = 'alone'): DynamicModule {
    const config = withEngineRoom(given);
    const onQueueError = (err: Error): void => logger.warn({ err }, 'queue connection error');
    return {
      module: WorkerModule,
      imports: [
        ...surroundings(config, logger, {
          applicationName: place === 'alone' ? 'capstan-worker' : 'capstan',
          poolSize: config.database.poolSize,
          hearsFollowers: true,
        }),
        QueueModule.forRoot({
          redisUrl: config.redis?.url ?? null,
          databaseUrl: config.database.directUrl,
          ...(config.redis && { silenceMs: config.redis.silenceMs, namespace: config.redis.namespace }),
          connections: watchedConnections(config.database),
          onError: onQueueError,
        }),
        DiscoveryModule,
        ShutdownModule,
        MetricsModule,
        BlobsModule,
        DispatchModule,
        HealthModule,
        ...featuresOf(config),
      ],
      providers: [
        DatabaseCheck,
        { provide: WorkerRegistrar, useClass: DiscoveredRegistrar },
        { provide: HEALTH_PORT, useValue: place === 'alone' ? config.worker.healthPort : null },
        WorkerLifecycle,
      ],
    };
  }
}

/** Modules of the enabled roles. */
function featuresOf({ worker: { roles }, knowledge }: AppConfig): (Type | DynamicModule)[] {
  return [
    ...(roles.includes('execute') ? [ExecuteModule, ...jobs.map(({ module }) => module)] : []),
    ...(roles.includes('webhooks') ? [WebhooksModule] : []),
    ...(roles.includes('ingest') && knowledge !== null ? [DocumentsModule] : []),
    ...(roles.includes('housekeeping') ? [HousekeepingModule] : []),
  ];
}

/** Creates and starts a worker. `close()` lets it finish within its grace period. */
export async function createWorkerApp(
  config: AppConfig,
  logger = createLogger('worker', config.logLevel),
  module = WorkerModule.forRoot(config, logger),
): Promise<INestApplicationContext> {
  warnOfMisspeltVariables(config.misspelt, logger);
  return NestFactory.createApplicationContext(module, {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
}
