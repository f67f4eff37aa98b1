import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import {
  AssignmentIntake,
  ExecutionSlots,
  FairShareReserve,
  RunExecution,
  JobIntake,
} from '#libs/executions';
import { systemTimers, systemClock } from '#libs/kernel';
import { warnRarely, type Logger } from '#libs/observability';
import { ExecutionAssignmentStore, findUnderserved, isExecutionOverdue } from '#libs/persistence';
import { DataSource } from 'typeorm';
import { DrainSignal } from '../shutdown/shutdown.js';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';
import { EndedExecutionTrigger } from './execution-dispatchers.js';
import { overdueAfter, stuckAfter, ProgressWatch } from '../health/progress-watch.js';

/** Interval in milliseconds at which a worker without free slots looks for underserved tenants. */
const RESERVE_LOOKS_EVERY_MS = 125;

/** Execution slots of this worker. */
@Injectable()
export class WorkerSlots extends ExecutionSlots {
  constructor(@Inject(WORKER_CONFIG) { worker }: AppConfig) {
    super(worker.concurrency);
  }
}

/** Detects that executions are due while this process has free slots and claims none. */
@Injectable()
export class ExecuteProgress extends ProgressWatch {
  constructor(dataSource: DataSource, @Inject(WORKER_CONFIG) config: AppConfig) {
    super(
      () => isExecutionOverdue(dataSource, { forMs: overdueAfter(config), ...config.dispatch }),
      config.worker.concurrency,
      stuckAfter(config),
      systemClock,
    );
  }
}

/** Runs the executions that jobs name. */
@Injectable()
export class WorkerJobIntake extends JobIntake {
  constructor(
    places: ExecutionSlots,
    runExecution: RunExecution,
    progress: ExecuteProgress,
    { signal: drain }: DrainSignal,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      places,
      timers: systemTimers,
      run: async ({ executionId, token = null }, listener) => {
        const end = progress.begin();
        await runExecution.execute(executionId, drain, listener, token).finally(end);
      },
      defer: setImmediate,
      onBrokeOff: (err, executionId) => logger.warn({ err, executionId }, 'attempt aborted by the worker'),
      drain,
    });
  }
}

/** Runs the executions that an API has assigned to this worker. */
@Injectable()
export class WorkerAssignmentIntake extends AssignmentIntake {
  constructor(
    intake: JobIntake,
    places: ExecutionSlots,
    store: ExecutionAssignmentStore,
    ended: EndedExecutionTrigger,
    { signal: drain }: DrainSignal,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      ...{ intake, places, store, drain },
      onRequeued: () => ended.trigger(),
      onError: warnRarely(logger, 'assigned executions not begun'),
    });
  }
}

/** Runs waiting executions of underserved tenants beyond the regular slots. */
@Injectable()
export class WorkerReserve extends FairShareReserve {
  constructor(
    places: ExecutionSlots,
    runExecution: RunExecution,
    { signal: drain }: DrainSignal,
    dataSource: DataSource,
    @Inject(WORKER_CONFIG) { worker, dispatch }: AppConfig,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      places,
      slots: worker.reserve,
      lookEveryMs: RESERVE_LOOKS_EVERY_MS,
      timers: systemTimers,
      find: (limit, tenantLimit, after) =>
        findUnderserved(dataSource, { tenantShare: dispatch.tenantSlotShare, limit, tenantLimit, after }),
      run: (executionId) => runExecution.execute(executionId, drain),
      onError: warnRarely(logger, 'reserve not used'),
    });
  }
}
