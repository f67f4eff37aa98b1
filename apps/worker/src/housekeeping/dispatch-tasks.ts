import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { QueueHealth } from '#libs/queue';
import { DataSource } from 'typeorm';
import { DueExecutionDispatcher, LostJobsDispatcher } from '../execute/execution-dispatchers.js';
import { JobDispatchers } from '../jobs/job-dispatchers.js';
import { DeliveryDispatcher } from '../webhooks/delivery-dispatcher.js';
import { WORKER_CONFIG } from '../worker.tokens.js';
import type { PeriodicTask } from './housekeeper.js';
import { LOOK_EVERY_MS, reapDeadWorkers } from './housekeeping.tasks.js';

const LOST_JOBS_EVERY_MS = 1_000;

/** Repeats the dispatchers' selections periodically: lost work is due again. */
@Injectable()
export class DispatchTasks {
  readonly tasks: readonly PeriodicTask[];

  constructor(
    executions: DueExecutionDispatcher,
    lostJobs: LostJobsDispatcher,
    deliveries: DeliveryDispatcher,
    jobs: JobDispatchers,
    queues: QueueHealth,
    dataSource: DataSource,
    @Inject(WORKER_CONFIG) { dispatch: { intervalMs: everyMs } }: AppConfig,
  ) {
    this.tasks = [
      {
        name: 'release dead workers',
        everyMs: Math.min(everyMs, LOOK_EVERY_MS),
        run: async () => {
          if ((await reapDeadWorkers(dataSource, setTimeout)) === 0) return;
          executions.trigger();
          deliveries.trigger();
        },
      },
      { name: 'dispatch executions', everyMs, run: () => executions.dispatch() },
      {
        name: 'send again what an empty queue has lost',
        everyMs: LOST_JOBS_EVERY_MS,
        run: async () => ((await queues.isEmpty('execute')) ? lostJobs.dispatch() : 0),
      },
      { name: 'dispatch webhooks', everyMs, run: () => deliveries.dispatch() },
      ...jobs.queues.map((queue) => ({
        name: `dispatch ${queue}`,
        everyMs,
        run: () => jobs.dispatch(queue),
      })),
    ];
  }
}
