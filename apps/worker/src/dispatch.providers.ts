import type { Provider } from '@nestjs/common';
import { Dispatcher } from '#libs/agent-core';
import type { AppConfig } from '#libs/config';
import { warnRarely, type Logger } from '#libs/observability';
import {
  ExecutionDispatchStore,
  WebhookDeliveryStore,
  type DispatchedExecution,
  type DueDelivery,
} from '#libs/persistence';
import { deliverWebhookJob, executeJob } from '#libs/payloads';
import { JobProducer } from '#libs/queue';
import { DataSource } from 'typeorm';
import { LOGGER, WORKER_CONFIG } from './worker.tokens.js';

export class ExecutionDispatcher extends Dispatcher<DispatchedExecution> {}
export class DeliveryDispatcher extends Dispatcher<DueDelivery> {}

const DELIVERY_BATCH = 200;

/** Who sends jobs: for executions that can run, and for webhooks that are due. */
export const dispatchProviders: Provider[] = [
  {
    provide: ExecutionDispatcher,
    inject: [DataSource, JobProducer, WORKER_CONFIG, LOGGER],
    useFactory: (dataSource: DataSource, jobs: JobProducer, config: AppConfig, logger: Logger) => {
      const store = new ExecutionDispatchStore(dataSource);
      return new ExecutionDispatcher(
        { take: () => store.take(config.dispatch), untake: (due) => store.untake(due) },
        (due) =>
          jobs.send(
            'execute',
            due.map(({ executionId, attempt }) => executeJob(executionId, attempt)),
          ),
        warnRarely(logger, 'executions not dispatched'),
      );
    },
  },
  {
    provide: DeliveryDispatcher,
    inject: [DataSource, JobProducer, WORKER_CONFIG, LOGGER],
    useFactory: (dataSource: DataSource, jobs: JobProducer, config: AppConfig, logger: Logger) => {
      const store = new WebhookDeliveryStore(dataSource);
      return new DeliveryDispatcher(
        {
          take: () => store.take(DELIVERY_BATCH, config.dispatch.redispatchAfterMs),
          untake: (due) => store.untake(due),
        },
        (due) =>
          jobs.send(
            'deliver-webhook',
            due.map(({ id, attempt }) => deliverWebhookJob(id, attempt)),
          ),
        warnRarely(logger, 'webhooks not dispatched'),
      );
    },
  },
];
