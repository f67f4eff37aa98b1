import { randomUUID } from 'node:crypto';
import type { Provider, Type } from '@nestjs/common';
import { Dispatcher, ExecutionDispatcher, PacedTrigger } from '#libs/executions';
import { systemTimers } from '#libs/kernel';
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

/** What ends make due, the next of a session above all, is looked for at once, and under load as often as this. */
const DISPATCH_AT_MOST_EVERY_MS = 25;

/** Title jobs that one dispatch sends at most. */
const TITLES_AT_ONCE = 100;

/** What everybody who sends jobs is made of. */
interface Sending {
  readonly dataSource: DataSource;
  readonly config: AppConfig;
  readonly logger: Logger;
  readonly send: JobProducer['send'];
}

/** Whoever this process sends jobs by: what it sends is watched. */
function sender<T extends object>(type: Type<T>, make: (sending: Sending) => T): Provider {
  return {
    provide: type,
    inject: [DataSource, JobProducer, SendWatch, WORKER_CONFIG, LOGGER],
    useFactory: (
      dataSource: DataSource,
      jobs: JobProducer,
      sends: SendWatch,
      config: AppConfig,
      logger: Logger,
    ) => make({ dataSource, config, logger, send: (queue, toSend) => sends.over(jobs.send(queue, toSend)) }),
  };
}

/** Who sends jobs: for executions that can run, for webhooks that are due, and for sessions without a title. */
export const dispatchProviders: Provider[] = [
  sender(
    ExecutionDispatcher,
    ({ dataSource, config, logger, send }) =>
      new ExecutionDispatcher({
        store: new ExecutionDispatchStore(dataSource),
        options: config.dispatch,
        newJobId: randomUUID,
        send: (jobs) => send('execute', jobs),
        onError: warnRarely(logger, 'executions not dispatched'),
      }),
  ),
  {
    provide: PacedTrigger,
    inject: [ExecutionDispatcher],
    useFactory: (executions: ExecutionDispatcher) =>
      new PacedTrigger(() => executions.trigger(), DISPATCH_AT_MOST_EVERY_MS, systemTimers),
  },
  sender(DeliveryDispatcher, ({ dataSource, config, logger, send }) => {
    const store = new WebhookDispatchStore(dataSource);
    const { redispatchAfterMs } = config.dispatch;
    const options = { queueTarget: DELIVERIES_WAITING, redispatchAfterMs, ...config.webhooks };
    const jobOf = ({ id }: DueDelivery) => deliverWebhookJob(id, randomUUID());
    return new DeliveryDispatcher(
      { take: () => store.take(options), requeue: (due) => store.requeue(due) },
      (due) => send('deliver-webhook', due.map(jobOf)),
      warnRarely(logger, 'webhooks not dispatched'),
    );
  }),
  sender(TitleDispatcher, ({ dataSource, config, logger, send }) => {
    const store = new SessionTitleStore(dataSource);
    const { redispatchAfterMs } = config.dispatch;
    return new TitleDispatcher(
      {
        take: (announced) => store.take({ announced, limit: TITLES_AT_ONCE, redispatchAfterMs }),
        requeue: (due) => store.requeue(due),
      },
      (due) =>
        send(
          'generate-title',
          due.map(({ executionId }) => generateTitleJob(executionId, randomUUID())),
        ),
      warnRarely(logger, 'titles not dispatched'),
    );
  }),
];
