import { Module, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AppConfig } from '#libs/config';
import { createLogger, NestLogger, warnOfMisspeltVariables, type Logger } from '#libs/observability';
import { watchedConnections } from '#libs/persistence';
import { QueueModule } from '#libs/queue';
import { blobStoreProvider } from './blob-store.provider.js';
import { DatabaseCheck } from './database-check.js';
import { dispatchProviders } from './dispatch.providers.js';
import { ExecuteProcessor } from './execute/execute.processor.js';
import { executeProviders } from './execute/execute.providers.js';
import { healthProviders } from './health/health.providers.js';
import { housekeepingProviders } from './housekeeping/housekeeping.providers.js';
import { embeddingLimitProvider } from './ingest/embedding-limit.js';
import { IngestDocumentProcessor } from './ingest/ingest-document.processor.js';
import { ingestProviders } from './ingest/ingest.providers.js';
import { jobs } from './jobs/jobs.js';
import { metricsProviders, workMetricsProvider } from './metrics/metrics.providers.js';
import { presenceProvider } from './presence.provider.js';
import { DrainSignal } from './shutdown/shutdown.js';
import { storageImports } from './storage.imports.js';
import { DeliverWebhookProcessor } from './webhooks/deliver-webhook.processor.js';
import { webhookProviders } from './webhooks/webhook.providers.js';
import { WorkerLifecycle, workerRegistrarProvider } from './worker-lifecycle.js';
import { HEALTH_PORT, LOGGER, WORKER_CONFIG } from './worker.tokens.js';

/** Whether this process is a worker and nothing else, or answers for an API as well, which uses its connections. */
export type WorkerPlace = 'alone' | 'beside_api';

/** The worker process: which of its roles are on is a matter of configuration. */
@Module({})
export class WorkerModule {
  static forRoot(config: AppConfig, logger: Logger, place: WorkerPlace = 'alone'): DynamicModule {
    const onQueueError = (err: Error): void => logger.warn({ err }, 'queue connection trouble');
    const { roles } = config.worker;
    return {
      module: WorkerModule,
      global: true,
      imports: [
        ...storageImports(config, logger, {
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
      ],
      providers: [
        { provide: WORKER_CONFIG, useValue: config },
        { provide: LOGGER, useValue: logger },
        DatabaseCheck,
        DrainSignal,
        ...metricsProviders,
        blobStoreProvider,
        ...healthProviders,
        ...dispatchProviders,
        embeddingLimitProvider,
        ...(roles.includes('execute') || roles.includes('webhooks') ? [presenceProvider] : []),
        ...(roles.includes('execute')
          ? [...executeProviders, ExecuteProcessor, ...jobs.flatMap(({ providers }) => providers)]
          : []),
        ...(roles.includes('webhooks') ? [...webhookProviders, DeliverWebhookProcessor] : []),
        ...(roles.includes('ingest') && config.knowledge !== null
          ? [...ingestProviders(config.knowledge), IngestDocumentProcessor]
          : []),
        ...(roles.includes('housekeeping') ? [...housekeepingProviders, workMetricsProvider] : []),
        workerRegistrarProvider,
        { provide: HEALTH_PORT, useValue: place === 'alone' ? config.worker.healthPort : null },
        WorkerLifecycle,
      ],
    };
  }
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
