import { hostname } from 'node:os';
import { Global, Module } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { warnRarely, type Logger } from '#libs/observability';
import { WorkerPresence } from '#libs/persistence';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';

/**
 * Announces this process in the database. Imported by roles that hold executions or deliveries, which other workers take
 * over after its death; global, since health reports it.
 */
@Global()
@Module({
  providers: [
    {
      provide: WorkerPresence,
      inject: [WORKER_CONFIG, LOGGER],
      useFactory: (config: AppConfig, logger: Logger) =>
        new WorkerPresence({
          databaseUrl: config.database.directUrl,
          processName: `${hostname()}-${process.pid}`,
          places: config.worker.roles.includes('execute') ? config.worker.concurrency : 0,
          answerWithinMs: config.execution.leaseMs / 2,
          pingEveryMs: config.database.pingEveryMs,
          onError: warnRarely(logger, 'presence connection trouble'),
        }),
    },
  ],
  exports: [WorkerPresence],
})
export class PresenceModule {}
