import { hostname } from 'node:os';
import { Global, Module } from '@nestjs/common';
import { RELEASE, type AppConfig } from '#libs/config';
import { warnRarely, type Logger } from '#libs/observability';
import { WorkerPresence } from '#libs/persistence';
import { DrainSignal } from '../shutdown/shutdown.js';
import { ShutdownModule } from '../shutdown/shutdown.module.js';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';

/**
 * Announces this process in the database. Imported where the process holds executions or deliveries, which others take
 * over when it dies; global, since health reports it wherever it is.
 */
@Global()
@Module({
  imports: [ShutdownModule],
  providers: [
    {
      provide: WorkerPresence,
      inject: [WORKER_CONFIG, LOGGER, DrainSignal],
      useFactory: (config: AppConfig, logger: Logger, drain: DrainSignal) => {
        const onError = warnRarely(logger, 'presence connection trouble');
        const presence = new WorkerPresence({
          databaseUrl: config.database.directUrl,
          processName: `${hostname()}-${process.pid}`,
          places: config.worker.roles.includes('execute') ? config.worker.concurrency : 0,
          answerWithinMs: config.execution.leaseMs / 2,
          pingEveryMs: config.database.pingEveryMs,
          shown: { release: RELEASE, roles: config.worker.roles },
          onError,
        });
        drain.signal.addEventListener('abort', () => void presence.showDraining().catch(onError));
        return presence;
      },
    },
  ],
  exports: [WorkerPresence],
})
export class PresenceModule {}
