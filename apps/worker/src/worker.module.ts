import { Module, type DynamicModule, type INestApplicationContext, type Type } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import type { AppConfig } from '#libs/config';
import { createLogger, NestLogger, warnOfMisspeltVariables, type Logger } from '#libs/observability';
import { watchedConnections } from '#libs/persistence';
import { QueueModule } from '#libs/queue';
import { BlobsModule } from './blobs/blobs.module.js';
import { DatabaseCheck } from './database-check.js';
import { DispatchModule } from './dispatch/dispatch.module.js';
import { ExecuteModule } from './execute/execute.module.js';
import { HealthModule } from './health/health.module.js';
import { HousekeepingModule } from './housekeeping/housekeeping.module.js';
import { DocumentsModule } from './ingest/documents.module.js';
import { jobs } from './jobs/jobs.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { DiscoveredRegistrar } from './queue/discovered-registrar.js';
import { WorkerRegistrar } from './queue/worker-registrar.js';
import { ShutdownModule } from './shutdown/shutdown.module.js';
import { surroundings } from './surroundings.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { WorkerLifecycle } from './worker-lifecycle.js';
import { HEALTH_PORT } from './worker.tokens.js';

/** Whether this process is a worker and nothing else, or answers for an API as well, which uses its connections. */
export type WorkerPlace = 'alone' | 'beside_api';

/** The worker process: configuration decides which of its roles are on. */
@Module({})
export class WorkerModule {
  static forRoot(config: AppConfig, logger: Logger, place: WorkerPlace = 'alone'): DynamicModule {
    const onQueueError = (err: Error): void => logger.warn({ err }, 'queue connection trouble');
    return {
      module: WorkerModule,
      imports: [
        ...surroundings(config, logger, {
          applicationName: place === 'alone' ? 'capstan-worker' : 'capstan',
          poolSize: config.database.poolSize,
          // An API filters by what a client asks for: one plan for all values would not do.
          hasGenericPlans: config.database.isPreparing && place === 'alone',
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

/** The modules of the roles that are on. */
function featuresOf({ worker: { roles }, knowledge }: AppConfig): (Type | DynamicModule)[] {
  return [
    ...(roles.includes('execute') ? [ExecuteModule, ...jobs.map(({ module }) => module)] : []),
    ...(roles.includes('webhooks') ? [WebhooksModule] : []),
    ...(roles.includes('ingest') && knowledge !== null ? [DocumentsModule] : []),
    ...(roles.includes('housekeeping') ? [HousekeepingModule] : []),
  ];
}

/** Makes a worker that has begun to work. `close()` lets it finish, within its grace period. */
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
