import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Module } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import {
  AssignmentIntake,
  ExecutionSlots,
  FairShareReserve,
  RunExecution,
  JobIntake,
  type AttemptDependencies,
  type EngineRuns,
  type RunExecutionDependencies,
} from '#libs/executions';
import { ProviderRegistry } from '#libs/model-providers';
import { ExecutionAssignmentStore, WorkerPresence } from '#libs/persistence';
import { HostReport } from '../models/host-report.js';
import { ModelsModule } from '../models/models.module.js';
import { ISOLATED, ProcessIsolation } from '../isolation/process-isolation.js';
import { WorkerIsolation } from '../isolation/worker-isolation.js';
import { presentName, PresenceModule } from '../presence/presence.module.js';
import { InlineDeliverer } from '../webhooks/inline-deliverer.js';
import { DeliveryDispatcher } from '../webhooks/delivery-dispatcher.js';
import {
  ATTEMPT_DEPENDENCIES,
  ISOLATION_PROGRAM,
  RUN_EXECUTION_DEPENDENCIES,
  WORKER_CONFIG,
} from '../worker.tokens.js';
import { AttemptModule } from './attempt.module.js';
import { engineRunsOf } from './engine-runs.js';
import { ExecuteProcessor } from './execute.processor.js';
import {
  ExecuteProgress,
  WorkerAssignmentIntake,
  WorkerJobIntake,
  WorkerReserve,
  WorkerSlots,
} from './slots.js';
import { EndedExecutionTrigger } from './execution-dispatchers.js';
import { LeasesModule } from './leases.module.js';
import { MAX_ISOLATED_DEATHS, SUSPECT_AFTER_LOSSES } from './suspects.js';

@Injectable()
class RunWorkerExecution extends RunExecution {
  constructor(@Inject(RUN_EXECUTION_DEPENDENCIES) deps: RunExecutionDependencies) {
    super(deps);
  }
}

function claimOptionsOf(
  { execution, dispatch }: AppConfig,
  presence: WorkerPresence,
  engineRuns: EngineRuns,
): RunExecutionDependencies['claimOptions'] {
  return async () => ({
    workerId: await presentName(presence),
    leaseMs: execution.leaseMs,
    deadlineMs: execution.timeoutMs,
    suspectAfterLosses: SUSPECT_AFTER_LOSSES,
    maxIsolatedDeaths: MAX_ISOLATED_DEATHS,
    tenantShare: dispatch.tenantSlotShare,
    engineRuns,
  });
}

/** Claims executions and runs them. */
@Module({
  imports: [AttemptModule, LeasesModule, ModelsModule, PresenceModule],
  providers: [
    { provide: ISOLATION_PROGRAM, useValue: ISOLATED },
    { provide: ProcessIsolation, useClass: WorkerIsolation },
    {
      provide: RUN_EXECUTION_DEPENDENCIES,
      inject: [
        ATTEMPT_DEPENDENCIES,
        ExecutionAssignmentStore,
        ProcessIsolation,
        WorkerPresence,
        EndedExecutionTrigger,
        DeliveryDispatcher,
        WORKER_CONFIG,
        ProviderRegistry,
        { token: InlineDeliverer, optional: true },
      ],
      useFactory: (
        attempt: AttemptDependencies,
        assignments: ExecutionAssignmentStore,
        isolation: ProcessIsolation,
        presence: WorkerPresence,
        ended: EndedExecutionTrigger,
        deliveries: DeliveryDispatcher,
        config: AppConfig,
        providers: ProviderRegistry,
        inlineDeliveries?: InlineDeliverer,
      ): RunExecutionDependencies => ({
        ...attempt,
        assignments,
        isolation,
        newToken: randomUUID,
        claimOptions: claimOptionsOf(config, presence, engineRunsOf(config, providers)),
        onEnded: ({ wasIsolated, hasSettled }) => {
          if (!hasSettled) ended.trigger();
          // A worker with inline webhook delivery triggers the delivery queue itself when deliveries wait.
          if (wasIsolated || inlineDeliveries === undefined) deliveries.trigger();
        },
      }),
    },
    { provide: RunExecution, useClass: RunWorkerExecution },
    { provide: ExecutionSlots, useClass: WorkerSlots },
    { provide: JobIntake, useClass: WorkerJobIntake },
    { provide: AssignmentIntake, useClass: WorkerAssignmentIntake },
    { provide: FairShareReserve, useClass: WorkerReserve },
    ExecuteProgress,
    ExecuteProcessor,
    HostReport,
  ],
  exports: [AssignmentIntake, AttemptModule, FairShareReserve],
})
export class ExecuteModule {}
