import { randomUUID } from 'node:crypto';
import type { Provider, Type } from '@nestjs/common';
import { Dispatcher, ExecutionDispatcher, PacedTrigger, type ExecutionDispatch } from '#libs/executions';
import { systemTimers } from '#libs/kernel';
import type { AppConfig } from '#libs/config';
import { warnRarely, type Logger } from '#libs/observability';
import {
  DocumentIngestionStore,
  ExecutionDispatchStore,
  WebhookDispatchStore,
  type DueDelivery,
} from '#libs/persistence';
import { INGESTION_JOBS, type DueIngestion } from '#libs/knowledge';
import { deliverWebhookJob, ingestDocumentJob } from '#libs/payloads';
import { JobProducer } from '#libs/queue';
import { DataSource } from 'typeorm';
import { SendWatch } from './health/worker-health.js';
import { JobDispatchers, type Sending } from './jobs/job-dispatchers.js';
import { jobs } from './jobs/jobs.js';
import { LOGGER, WORKER_CONFIG } from './worker.tokens.js';

/** Of what the queue must have lost. */
export class LostJobsDispatcher extends ExecutionDispatcher {}

export class DeliveryDispatcher extends Dispatcher<DueDelivery> {}

/**
 * A queue that is empty has nothing left of what was sent before: whoever accepted it died before it had sent the job, or
 * the queue lost it. So long may sending take; a job too many loses the claim.
 */
const LOST_TO_AN_EMPTY_QUEUE_MS = 2_000;

/** Webhook jobs that may wait: about twice what one worker process sends at once. */
const DELIVERIES_WAITING = 40;

/** What ends make due, the next of a session above all, is looked for at once, and under load as often as this. */
const DISPATCH_AT_MOST_EVERY_MS = 25;

export class IngestionDispatcher extends Dispatcher<DueIngestion> {}

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

function executionDispatch({ dataSource, config, logger, send }: Sending): ExecutionDispatch {
  return {
    store: new ExecutionDispatchStore(dataSource),
    options: config.dispatch,
    newJobId: randomUUID,
    send: (jobs) => send('execute', jobs),
    onError: warnRarely(logger, 'executions not dispatched'),
  };
}

/** The senders of jobs: of executions that can run, webhooks and documents that are due, and the jobs of the list. */
export const dispatchProviders: Provider[] = [
  sender(ExecutionDispatcher, (sending) => new ExecutionDispatcher(executionDispatch(sending))),
  {
    provide: PacedTrigger,
    inject: [ExecutionDispatcher],
    useFactory: (executions: ExecutionDispatcher) =>
      new PacedTrigger(() => executions.trigger(), DISPATCH_AT_MOST_EVERY_MS, systemTimers),
  },
  sender(LostJobsDispatcher, (sending) => {
    const dispatch = executionDispatch(sending);
    const redispatchAfterMs = Math.min(dispatch.options.redispatchAfterMs, LOST_TO_AN_EMPTY_QUEUE_MS);
    return new LostJobsDispatcher({ ...dispatch, options: { ...dispatch.options, redispatchAfterMs } });
  }),
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
  sender(IngestionDispatcher, ({ dataSource, config, logger, send }) => {
    const store = new DocumentIngestionStore(dataSource);
    const { redispatchAfterMs } = config.dispatch;
    const options = { ...INGESTION_JOBS, redispatchAfterMs };
    const jobOf = ({ ingestionId }: DueIngestion) => ingestDocumentJob(ingestionId, randomUUID());
    return new IngestionDispatcher(
      { take: () => store.take(options), requeue: (due) => store.requeue(due) },
      (due) => send('ingest-document', due.map(jobOf)),
      warnRarely(logger, 'documents not dispatched'),
    );
  }),
  sender(JobDispatchers, (sending) => new JobDispatchers(jobs, sending)),
];
