import { randomUUID } from 'node:crypto';
import type { Provider } from '@nestjs/common';
import { Dispatcher, ExecutionDispatcher } from '#libs/executions';
import type { AppConfig } from '#libs/config';
import { warnRarely, type Logger } from '#libs/observability';
import {
  ExecutionDispatchStore,
  SessionTitleStore,
  WebhookDispatchStore,
  type DueDelivery,
} from '#libs/persistence';
import { deliverWebhookJob, generateTitleJob } from '#libs/payloads';
import { JobProducer } from '#libs/queue';
import { DataSource } from 'typeorm';
import { SendWatch } from './health/worker-health.js';
import { TitleDispatcher } from './titles/title-dispatcher.js';
import { LOGGER, WORKER_CONFIG } from './worker.tokens.js';

export class DeliveryDispatcher extends Dispatcher<DueDelivery> {}

/** Webhook jobs that may wait: about twice what one worker process sends at once. */
const DELIVERIES_WAITING = 40;

/** Title jobs that one dispatch sends at most. */
const TITLES_AT_ONCE = 100;

/** Who sends jobs: for executions that can run, for webhooks that are due, and for sessions without a title. */
export const dispatchProviders: Provider[] = [
  {
    provide: ExecutionDispatcher,
    inject: [DataSource, JobProducer, SendWatch, WORKER_CONFIG, LOGGER],
    useFactory: (
      dataSource: DataSource,
      jobs: JobProducer,
      sends: SendWatch,
      config: AppConfig,
      logger: Logger,
    ) =>
      new ExecutionDispatcher({
        store: new ExecutionDispatchStore(dataSource),
        options: config.dispatch,
        newJobId: randomUUID,
        send: (toSend) => sends.over(jobs.send('execute', toSend)),
        onError: warnRarely(logger, 'executions not dispatched'),
      }),
  },
  {
    provide: DeliveryDispatcher,
    inject: [DataSource, JobProducer, SendWatch, WORKER_CONFIG, LOGGER],
    useFactory: (
      dataSource: DataSource,
      jobs: JobProducer,
      sends: SendWatch,
      config: AppConfig,
      logger: Logger,
    ) => {
      const store = new WebhookDispatchStore(dataSource);
      const { redispatchAfterMs } = config.dispatch;
      const options = { queueTarget: DELIVERIES_WAITING, redispatchAfterMs, ...config.webhooks };
      return new DeliveryDispatcher(
        { take: () => store.take(options), requeue: (due) => store.requeue(due) },
        (due) =>
          sends.over(
            jobs.send(
              'deliver-webhook',
              due.map(({ id }) => deliverWebhookJob(id, randomUUID())),
            ),
          ),
        warnRarely(logger, 'webhooks not dispatched'),
      );
    },
  },
  {
    provide: TitleDispatcher,
    inject: [DataSource, JobProducer, SendWatch, WORKER_CONFIG, LOGGER],
    useFactory: (
      dataSource: DataSource,
      jobs: JobProducer,
      sends: SendWatch,
      config: AppConfig,
      logger: Logger,
    ) => {
      const store = new SessionTitleStore(dataSource);
      const { redispatchAfterMs } = config.dispatch;
      return new TitleDispatcher(
        {
          take: (announced) => store.take({ announced, limit: TITLES_AT_ONCE, redispatchAfterMs }),
          requeue: (due) => store.requeue(due),
        },
        (due) =>
          sends.over(
            jobs.send(
              'generate-title',
              due.map(({ executionId }) => generateTitleJob(executionId, randomUUID())),
            ),
          ),
        warnRarely(logger, 'titles not dispatched'),
      );
    },
  },
];
