import { hostname } from 'node:os';
import { Global, Module } from '@nestjs/common';
import { RELEASE, type AppConfig } from '#libs/config';
import { warnRarely, type Logger } from '#libs/observability';
import { WorkerPresence } from '#libs/persistence';
import { DrainSignal } from '../shutdown/shutdown.js';
import { ShutdownModule } from '../shutdown/shutdown.module.js';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';
import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum wait of a job for this process's presence, in milliseconds; then the job fails and is sent again as lost. */
const WAIT_FOR_PRESENCE_MS = 10_000;

/** Name for claims. Waits while this process has no presence; throws `NOT_PRESENT` if that lasts. */
export async function presentName(presence: WorkerPresence): Promise<string> {
  if (!presence.isPresent)
    await Promise.race([presence.whenPresent(), sleep(WAIT_FOR_PRESENCE_MS, undefined, { ref: false })]);
  return presence.workerId;
}

/**
 * Announces this process in the database. Imported by roles that hold executions or deliveries, which other workers take
 * over after its death; global, since health reports it.
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
