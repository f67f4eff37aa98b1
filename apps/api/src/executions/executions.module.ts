import { randomUUID } from 'node:crypto';
import { Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { AppConfig } from '#libs/config';
import {
  AcceptedSender,
  AwaitSettlement,
  BacklogGauge,
  EventStream,
  ExecutionDispatcher,
  ExecutionMeter,
  StatusReads,
  SubmitExecution,
  WorkerDoors,
} from '#libs/executions';
import { systemClock, systemTimers } from '#libs/kernel';
import { warnRarely, type Logger } from '#libs/observability';
import {
  ExecutionChangesStore,
  BacklogStore,
  CancellationStore,
  ExecutionDispatchStore,
  ExecutionAcceptanceStore,
  ExecutionStore,
  WorkerStore,
} from '#libs/persistence';
import { JobProducer } from '#libs/queue';
import { API_CONFIG, API_LOGGER, NEAR_WORKER } from '../api.tokens.js';
import { Assignments } from '../assignments/assignments.js';
import { HttpWorkerDoors } from '../assignments/http-worker-doors.js';
import { ModelsModule } from '../models/models.module.js';
import { StrategiesModule } from '../strategies/strategies.module.js';
import { ToolsModule } from '../tools/tools.module.js';
import { WebhookEndpointsModule } from '../webhook-endpoints/webhook-endpoints.module.js';
import { WebhookSecretKeeper } from '../webhook-endpoints/webhook-secret-keeper.js';
import { AttachedFiles } from './attached-files.js';
import { CheckSubmission } from './executions.checks.js';
import { ExecuteController } from './execute.controller.js';
import { ExecutionEventsController } from './execution-events.controller.js';
import {
  ApprovalsController,
  CancellationController,
  ExecutionsController,
  RetryController,
} from './executions.controller.js';
import { ExecutionsService } from './executions.service.js';
import { SubmissionCache } from './submission-cache.js';
import { HeldAnswers } from './held-answers.js';
import { ListEventsController } from './list-events.controller.js';
import { ListReads } from './list-reads.js';
import { StreamTokens } from './stream-tokens.js';
import { StreamTokensController } from './stream-tokens.controller.js';
import { SubmissionsService } from './submissions.service.js';
import { SubmitKeys } from './submit-headers.js';
import { TokenKeeper } from './token-keeper.js';

/** Waits for the last accepted jobs to be dispatched; otherwise they would wait until they count as lost. */
@Injectable()
class SendsBeforeTheEnd implements OnApplicationShutdown {
  constructor(private readonly acceptedSender: AcceptedSender) {}

  onApplicationShutdown(): Promise<void> {
    return this.acceptedSender.idle();
  }
}

@Module({
  imports: [ModelsModule, StrategiesModule, ToolsModule, WebhookEndpointsModule],
  controllers: [
    ApprovalsController,
    CancellationController,
    RetryController,
    ExecuteController,
    ExecutionsController,
    ListEventsController,
    ExecutionEventsController,
    StreamTokensController,
  ],
  providers: [
    {
      provide: ListReads,
      inject: [ExecutionChangesStore],
      useFactory: (store: ExecutionChangesStore) => new ListReads(store, systemTimers),
    },
    {
      provide: ExecutionDispatcher,
      inject: [ExecutionDispatchStore, JobProducer, API_CONFIG, API_LOGGER],
      useFactory: (store: ExecutionDispatchStore, jobs: JobProducer, config: AppConfig, logger: Logger) =>
        new ExecutionDispatcher({
          store,
          options: config.dispatch,
          newJobId: randomUUID,
          send: (toSend) => jobs.send('execute', toSend),
          onError: warnRarely(logger, 'executions not dispatched'),
        }),
    },
    {
      provide: AcceptedSender,
      inject: [ExecutionDispatchStore, JobProducer, API_LOGGER],
      useFactory: (store: ExecutionDispatchStore, jobs: JobProducer, logger: Logger) =>
        new AcceptedSender({
          store,
          newJobId: randomUUID,
          send: (toSend) => jobs.send('execute', toSend),
          onError: warnRarely(logger, 'accepted executions not sent'),
          defer: setImmediate,
        }),
    },
    SendsBeforeTheEnd,
    {
      provide: WorkerDoors,
      inject: [WorkerStore, { token: NEAR_WORKER, optional: true }],
      useFactory: (workers: WorkerStore, near?: WorkerDoors) => near ?? new HttpWorkerDoors(workers),
    },
    Assignments,
    {
      provide: ExecutionAcceptanceStore,
      inject: [DataSource, API_CONFIG, Assignments],
      useFactory: (dataSource: DataSource, { dispatch }: AppConfig, { offered }: Assignments) =>
        new ExecutionAcceptanceStore(dataSource, dispatch, offered),
    },
    {
      provide: SubmitExecution,
      inject: [
        ExecutionAcceptanceStore,
        CancellationStore,
        ExecutionStore,
        BacklogStore,
        ExecutionDispatcher,
        AcceptedSender,
        ExecutionMeter,
        TokenKeeper,
        WebhookSecretKeeper,
        API_CONFIG,
      ],
      useFactory: (
        acceptances: ExecutionAcceptanceStore,
        cancellations: CancellationStore,
        executions: ExecutionStore,
        backlogs: BacklogStore,
        dispatcher: ExecutionDispatcher,
        acceptedSender: AcceptedSender,
        meter: ExecutionMeter,
        { seal: sealToken }: TokenKeeper,
        webhookSecrets: WebhookSecretKeeper,
        { admission: limits }: AppConfig,
      ) =>
        new SubmitExecution({
          ...{ acceptances, cancellations, executions, dispatcher, acceptedSender, limits, meter, sealToken },
          backlog: new BacklogGauge(() => backlogs.measure(), systemClock),
          ids: { next: uuidv7 },
          clock: systemClock,
          timers: systemTimers,
          sealWebhookSecret: (tenantId) => webhookSecrets.make(tenantId).seal(null),
        }),
    },
    {
      provide: StatusReads,
      inject: [ExecutionStore],
      useFactory: (executions: ExecutionStore) => new StatusReads(executions, systemTimers),
    },
    {
      provide: AwaitSettlement,
      inject: [ExecutionStore, StatusReads, EventStream],
      useFactory: (executions: ExecutionStore, statuses: StatusReads, stream: EventStream) =>
        new AwaitSettlement({ executions, statuses, stream, ids: { next: uuidv7 }, clock: systemClock }),
    },
    TokenKeeper,
    SubmitKeys,
    HeldAnswers,
    AttachedFiles,
    CheckSubmission,
    SubmissionCache,
    SubmissionsService,
    ExecutionsService,
    StreamTokens,
  ],
})
export class ExecutionsModule {}
