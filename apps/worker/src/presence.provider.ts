import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Provider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { warnRarely, type Logger } from '#libs/observability';
import { WorkerPresence } from '#libs/persistence';
import { LOGGER, WORKER_CONFIG } from './worker.tokens.js';

/** A job that finds this process without its presence waits so long for it; then it is lost, and will be sent again. */
const WAIT_FOR_PRESENCE_MS = 10_000;

/** The name to claim under. Waits for a while when there is none just now; throws `NOT_PRESENT` when that lasts. */
export async function presentName(presence: WorkerPresence): Promise<string> {
  if (!presence.isPresent)
    await Promise.race([presence.whenPresent(), sleep(WAIT_FOR_PRESENCE_MS, undefined, { ref: false })]);
  return presence.workerId;
}

/** Of every process that holds something that others take over when it dies: executions, deliveries. */
export const presenceProvider: Provider = {
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
};
