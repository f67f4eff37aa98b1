import { hostname } from 'node:os';
import type { Provider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { warnRarely, type Logger } from '#libs/observability';
import { WorkerPresence } from '#libs/persistence';
import { LOGGER, WORKER_CONFIG } from './worker.tokens.js';

/** Of every process that holds something that others take over when it dies: executions, deliveries. */
export const presenceProvider: Provider = {
  provide: WorkerPresence,
  inject: [WORKER_CONFIG, LOGGER],
  useFactory: (config: AppConfig, logger: Logger) =>
    new WorkerPresence({
      databaseUrl: config.database.url,
      processName: `${hostname()}-${process.pid}`,
      places: config.worker.roles.includes('execute') ? config.worker.concurrency : 0,
      answerWithinMs: config.execution.leaseMs / 2,
      pingEveryMs: config.database.pingEveryMs,
      onError: warnRarely(logger, 'presence connection trouble'),
    }),
};
