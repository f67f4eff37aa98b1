import { Global, Inject, Injectable, Module } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { LeaseHolder, LeaseKeeper, type Heartbeat } from '#libs/executions';
import { systemClock, systemTimers } from '#libs/kernel';
import { warnRarely, type Logger } from '#libs/observability';
import { ExecutionClaimStore, findCancelled, WorkerPresence } from '#libs/persistence';
import { PresenceModule } from '../presence/presence.module.js';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';

/** Renews the leases of this process on the connection of its presence. */
@Injectable()
class PresentLeases extends LeaseKeeper {
  constructor(
    presence: WorkerPresence,
    @Inject(WORKER_CONFIG) { execution }: AppConfig,
    @Inject(LOGGER) logger: Logger,
  ) {
    const warn = warnRarely(logger, 'leases not renewed');
    super(heartbeatOver(presence), execution.leaseMs, systemClock, systemTimers, warn);
    // Checks at once which leases are still held.
    presence.onReturn(() => void this.renew());
  }
}

function heartbeatOver(presence: WorkerPresence): Heartbeat {
  const claims = new ExecutionClaimStore(presence);
  return {
    renew: (held, leaseMs) => claims.renew(held, leaseMs),
    findCancelled: (ids) => findCancelled(presence, ids),
  };
}

/** Leases of a worker. Global, because isolated processes also run attempts but provide another lease holder. */
@Global()
@Module({
  imports: [PresenceModule],
  providers: [
    { provide: LeaseKeeper, useClass: PresentLeases },
    { provide: LeaseHolder, useExisting: LeaseKeeper },
  ],
  exports: [LeaseHolder, LeaseKeeper],
})
export class LeasesModule {}
