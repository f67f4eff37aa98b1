import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationShutdown, type Provider } from '@nestjs/common';
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
} from '#libs/executions';
import { systemClock, systemTimers } from '#libs/kernel';
import { warnRarely, type Logger } from '#libs/observability';
import {
  BacklogStore,
  CancellationStore,
  ExecutionDispatchStore,
  ExecutionIntakeStore,
  ExecutionStore,
} from '#libs/persistence';
import { JobProducer } from '#libs/queue';
import { API_CONFIG } from '../api.tokens.js';
import { AttachedFiles } from './attached-files.js';
import { CheckSubmission } from './executions.checks.js';
import { ExecutionsCommands } from './executions.commands.js';
import { ExecutionsQueries } from './executions.queries.js';
import { KeptGrounds } from './kept-grounds.js';
import { SubmitKeys } from './submit-keys.js';
import { TokenKeeper, tokenKeeperProvider } from './token-keeper.js';

/** Sends, or requeues, what was accepted last: what is lost on the way waits until its job counts as lost. */
@Injectable()
class SendsBeforeTheEnd implements OnApplicationShutdown {
  constructor(private readonly acceptedSender: AcceptedSender) {}

  onApplicationShutdown(): Promise<void> {
    return this.acceptedSender.idle();
  }
}

/** What executions are accepted, dispatched and waited for by, introduced to its adapters. */
export const executionProviders = (logger: Logger): Provider[] => [
  {
    provide: ExecutionDispatcher,
    inject: [DataSource, JobProducer, API_CONFIG],
    useFactory: (dataSource: DataSource, jobs: JobProducer, config: AppConfig) =>
      new ExecutionDispatcher({
        store: new ExecutionDispatchStore(dataSource),
        options: config.dispatch,
        newJobId: randomUUID,
        send: (toSend) => jobs.send('execute', toSend),
        onError: warnRarely(logger, 'executions not dispatched'),
      }),
  },
  {
    provide: AcceptedSender,
    inject: [DataSource, JobProducer],
    useFactory: (dataSource: DataSource, jobs: JobProducer) =>
      new AcceptedSender({
        store: new ExecutionDispatchStore(dataSource),
        newJobId: randomUUID,
        send: (toSend) => jobs.send('execute', toSend),
        onError: warnRarely(logger, 'accepted executions not sent'),
        defer: setImmediate,
      }),
  },
  SendsBeforeTheEnd,
  {
    provide: SubmitExecution,
    inject: [
      ExecutionIntakeStore,
      CancellationStore,
      ExecutionStore,
      ExecutionDispatcher,
      AcceptedSender,
      DataSource,
      ExecutionMeter,
      TokenKeeper,
      API_CONFIG,
    ],
    useFactory: (
      intake: ExecutionIntakeStore,
      cancellations: CancellationStore,
      executions: ExecutionStore,
      dispatcher: ExecutionDispatcher,
      acceptedSender: AcceptedSender,
      dataSource: DataSource,
      meter: ExecutionMeter,
      { seal: sealToken }: TokenKeeper,
      { admission: limits }: AppConfig,
    ) => {
      const store = new BacklogStore(dataSource);
      const backlog = new BacklogGauge(() => store.measure(), systemClock);
      const time = { clock: systemClock, timers: systemTimers };
      const ids = { next: uuidv7 };
      return new SubmitExecution({
        ...{ intake, cancellations, executions, dispatcher, acceptedSender, backlog, limits, ids, meter },
        ...time,
        sealToken,
      });
    },
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
  tokenKeeperProvider,
  SubmitKeys,
  AttachedFiles,
  CheckSubmission,
  KeptGrounds,
  ExecutionsCommands,
  ExecutionsQueries,
];
