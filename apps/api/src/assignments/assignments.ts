import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { Assigner, ExecutionDispatcher, WorkerDoors } from '#libs/executions';
import { systemClock } from '#libs/kernel';
import { warnRarely, type Logger } from '#libs/observability';
import { ExecutionAssignmentStore, type OfferedWorkers } from '#libs/persistence';
import { API_CONFIG, API_LOGGER } from '../api.tokens.js';

/** Hands accepted executions to the worker of this process, or to workers elsewhere. */
@Injectable()
export class Assignments implements OnApplicationShutdown {
  /** Null with `HANDOVER=queue`. */
  readonly assigner: Assigner | null;

  constructor(
    store: ExecutionAssignmentStore,
    dispatcher: ExecutionDispatcher,
    private readonly doors: WorkerDoors,
    @Inject(API_CONFIG) private readonly config: AppConfig,
    @Inject(API_LOGGER) logger: Logger,
  ) {
    this.assigner =
      config.dispatch.handover === 'queue'
        ? null
        : new Assigner({
            ...{ doors, store, clock: systemClock, newToken: randomUUID, defer: setImmediate },
            onRequeued: () => dispatcher.trigger(),
            onError: warnRarely(logger, 'executions not handed to a worker'),
          });
  }

  /** Null if no execution is claimed as it is accepted. */
  get offered(): OfferedWorkers | null {
    const { timeoutMs: deadlineMs } = this.config.execution;
    return this.assigner && { source: this.assigner, deadlineMs };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.assigner?.idle();
    await this.doors.close();
  }
}
