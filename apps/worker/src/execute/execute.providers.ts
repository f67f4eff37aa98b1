import { randomUUID } from 'node:crypto';
import type { Provider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import {
  LeaseHolder,
  LeaseKeeper,
  PacedTrigger,
  Places,
  Reserve,
  RunExecution,
  TakeUp,
  type Heartbeat,
  type AttemptDependencies,
  type RunExecutionDependencies,
  ExecutionMeter,
} from '#libs/executions';
import { systemClock, systemTimers } from '#libs/kernel';
import { warnRarely, type Logger } from '#libs/observability';
import {
  ExecutionClaimStore,
  findCancelled,
  findUnderserved,
  isExecutionOverdue,
  WorkerPresence,
} from '#libs/persistence';
import { DataSource } from 'typeorm';
import { DeliveryDispatcher } from '../dispatch.providers.js';
import { overdueAfter, patienceOf } from '../health/progress-watch.js';
import { ISOLATED, ProcessIsolation } from '../isolation/process-isolation.js';
import { presentName } from '../presence.provider.js';
import { DrainSignal } from '../shutdown/shutdown.js';
import { BornDeliveries } from '../webhooks/born-deliveries.js';
import {
  ATTEMPT_DEPENDENCIES,
  ISOLATION_PROGRAM,
  LOGGER,
  RUN_EXECUTION_DEPENDENCIES,
  WORKER_CONFIG,
} from '../worker.tokens.js';
import { attemptProviders } from './attempt.providers.js';
import { ExecuteProgress } from './execute.processor.js';
import { MAX_ISOLATED_DEATHS, SUSPECT_AFTER_LOSSES } from './suspects.js';

/** How long a tenant waits at most for a worker without a place to look whether it is underserved. */
const RESERVE_LOOKS_EVERY_MS = 125;

/** Everything that executions need, introduced to each other. */
export const executeProviders: Provider[] = [
  ...attemptProviders,
  {
    provide: LeaseKeeper,
    inject: [WorkerPresence, WORKER_CONFIG, LOGGER],
    useFactory: (presence: WorkerPresence, config: AppConfig, logger: Logger) => {
      const claims = new ExecutionClaimStore(presence);
      const heartbeat: Heartbeat = {
        renew: (held, leaseMs) => claims.renew(held, leaseMs),
        findCancelled: (ids) => findCancelled(presence, ids),
      };
      const warn = warnRarely(logger, 'leases not renewed');
      const leases = new LeaseKeeper(heartbeat, config.execution.leaseMs, systemClock, systemTimers, warn);
      // Which leases are still ours is asked at once.
      presence.onReturn(() => void leases.renew());
      presence.onLeave(() => leases.fenceAll());
      return leases;
    },
  },
  { provide: LeaseHolder, useExisting: LeaseKeeper },
  { provide: ISOLATION_PROGRAM, useFactory: () => ISOLATED },
  {
    provide: ProcessIsolation,
    inject: [ISOLATION_PROGRAM, WORKER_CONFIG, ExecutionMeter],
    useFactory: (program: string, { worker, execution }: AppConfig, meter: ExecutionMeter) => {
      const { isolation, hangLimitMs } = worker;
      const { leaseMs } = execution;
      const options = { program, heapMb: isolation.heapMb, leaseMs, hangLimitMs, clock: systemClock, meter };
      return new ProcessIsolation(options, isolation.concurrency);
    },
  },
  {
    provide: RUN_EXECUTION_DEPENDENCIES,
    inject: [
      ATTEMPT_DEPENDENCIES,
      ProcessIsolation,
      WorkerPresence,
      PacedTrigger,
      DeliveryDispatcher,
      WORKER_CONFIG,
      { token: BornDeliveries, optional: true },
    ],
    useFactory: (
      attempt: AttemptDependencies,
      isolation: ProcessIsolation,
      presence: WorkerPresence,
      dispatch: PacedTrigger,
      deliveries: DeliveryDispatcher,
      config: AppConfig,
      births?: BornDeliveries,
    ): RunExecutionDependencies => ({
      ...attempt,
      isolation,
      newToken: randomUUID,
      claimOptions: async () => ({
        workerId: await presentName(presence),
        leaseMs: config.execution.leaseMs,
        deadlineMs: config.execution.timeoutMs,
        suspectAfterLosses: SUSPECT_AFTER_LOSSES,
        maxIsolatedDeaths: MAX_ISOLATED_DEATHS,
        tenantShare: config.dispatch.tenantSlotShare,
      }),
      onEnded: ({ wasIsolated, hasSettled }) => {
        if (!hasSettled) dispatch.trigger();
        // Who sends webhooks from their birth on knows which of them wait.
        if (wasIsolated || births === undefined) deliveries.trigger();
      },
    }),
  },
  {
    provide: ExecuteProgress,
    inject: [DataSource, WORKER_CONFIG],
    useFactory: (dataSource: DataSource, config: AppConfig) =>
      new ExecuteProgress(
        () => isExecutionOverdue(dataSource, { forMs: overdueAfter(config), ...config.dispatch }),
        config.worker.concurrency,
        patienceOf(config),
        systemClock,
      ),
  },
  {
    provide: RunExecution,
    inject: [RUN_EXECUTION_DEPENDENCIES],
    useFactory: (deps: RunExecutionDependencies) => new RunExecution(deps),
  },
  {
    provide: Places,
    inject: [WORKER_CONFIG],
    useFactory: (config: AppConfig) => new Places(config.worker.concurrency),
  },
  {
    provide: TakeUp,
    inject: [Places, RunExecution, ExecuteProgress, DrainSignal, LOGGER],
    useFactory: (
      places: Places,
      runExecution: RunExecution,
      progress: ExecuteProgress,
      drain: DrainSignal,
      logger: Logger,
    ) =>
      new TakeUp({
        places,
        timers: systemTimers,
        run: async (executionId, onClaimed) => {
          const end = progress.begin();
          await runExecution.execute(executionId, drain.signal, onClaimed).finally(end);
        },
        defer: setImmediate,
        onBrokeOff: (err, executionId) => logger.warn({ err, executionId }, 'attempt broken off'),
        drain: drain.signal,
      }),
  },
  {
    provide: Reserve,
    inject: [DataSource, Places, RunExecution, DrainSignal, WORKER_CONFIG, LOGGER],
    useFactory: (
      dataSource: DataSource,
      places: Places,
      runExecution: RunExecution,
      drain: DrainSignal,
      config: AppConfig,
      logger: Logger,
    ) =>
      new Reserve({
        places,
        slots: config.worker.reserve,
        lookEveryMs: RESERVE_LOOKS_EVERY_MS,
        timers: systemTimers,
        find: (limit, tenantLimit) =>
          findUnderserved(dataSource, { tenantShare: config.dispatch.tenantSlotShare, limit, tenantLimit }),
        run: (executionId) => runExecution.execute(executionId, drain.signal),
        onError: warnRarely(logger, 'reserve not used'),
      }),
  },
];
