import { randomUUID } from 'node:crypto';
import type { Provider, Type } from '@nestjs/common';
import {
  Dispatcher,
  ExecutionDispatcher,
  PacedTrigger,
  type DueSummary,
  type DueExtraction,
  type ExecutionDispatch,
} from '#libs/executions';
import { systemTimers } from '#libs/kernel';
import type { AppConfig } from '#libs/config';
import { warnRarely, type Logger } from '#libs/observability';
import {
  DocumentIngestionStore,
  DomainTaskStore,
  ExecutionDispatchStore,
  SessionSummaryStore,
  PostgresExtractions,
  SessionTitleStore,
  TokenRevocationStore,
  WebhookDispatchStore,
  type DueDelivery,
  type DueRevocation,
  type DueTask,
} from '#libs/persistence';
import { INGESTION_JOBS, type DueIngestion } from '#libs/knowledge';
import {
  deliverWebhookJob,
  domainTaskJob,
  extractMemoriesJob,
  generateTitleJob,
  ingestDocumentJob,
  revokeTokensJob,
  summarizeSessionJob,
} from '#libs/payloads';
import { JobProducer } from '#libs/queue';
import { DataSource } from 'typeorm';
import { RevocationDispatcher } from './connections/revocation-dispatcher.js';
import { TaskDispatcher } from './domain-tasks/task-dispatcher.js';
import { SendWatch } from './health/worker-health.js';
import { ExtractionDispatcher } from './memories/extraction-dispatcher.js';
import { TitleDispatcher } from './titles/title-dispatcher.js';
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

/** Title jobs that one dispatch sends at most. */
const TITLES_AT_ONCE = 100;

/** Jobs that revoke tokens, which may wait and run. */
const REVOCATIONS_WAITING = 50;

/** Jobs of tasks of domains, which may wait and run, of all tenants and of one. */
const TASKS_WAITING = 100;
const TASKS_OF_A_TENANT = 5;

/** Jobs that learn of executions, which may wait and run, of all tenants and of one. */
const EXTRACTIONS_WAITING = 100;
const EXTRACTIONS_OF_A_TENANT = 20;

export class IngestionDispatcher extends Dispatcher<DueIngestion> {}

/** Summary jobs that one dispatch sends at most. */
const SUMMARIES_AT_ONCE = 100;

export class SummaryDispatcher extends Dispatcher<DueSummary> {}

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

function executionDispatch({ dataSource, config, logger, send }: Sending): ExecutionDispatch {
  return {
    store: new ExecutionDispatchStore(dataSource),
    options: config.dispatch,
    newJobId: randomUUID,
    send: (jobs) => send('execute', jobs),
    onError: warnRarely(logger, 'executions not dispatched'),
  };
}

/** Who sends jobs: for executions that can run, for webhooks that are due, and for sessions without a title or too long. */
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
  sender(SummaryDispatcher, ({ dataSource, config, logger, send }) => {
    const store = new SessionSummaryStore(dataSource);
    const { redispatchAfterMs } = config.dispatch;
    const jobOf = ({ sessionId }: DueSummary) => summarizeSessionJob(sessionId, randomUUID());
    return new SummaryDispatcher(
      {
        take: () => store.take({ limit: SUMMARIES_AT_ONCE, redispatchAfterMs }),
        requeue: (due) => store.requeue(due),
      },
      (due) => send('summarize-session', due.map(jobOf)),
      warnRarely(logger, 'summaries not dispatched'),
    );
  }),
  sender(ExtractionDispatcher, ({ dataSource, config, logger, send }) => {
    const store = new PostgresExtractions(dataSource);
    const { redispatchAfterMs } = config.dispatch;
    const options = {
      queueTarget: EXTRACTIONS_WAITING,
      tenantTarget: EXTRACTIONS_OF_A_TENANT,
      redispatchAfterMs,
    };
    const jobOf = ({ executionId }: DueExtraction) => extractMemoriesJob(executionId, randomUUID());
    return new ExtractionDispatcher(
      { take: () => store.take(options), requeue: (due) => store.requeue(due) },
      (due) => send('extract-memories', due.map(jobOf)),
      warnRarely(logger, 'memories not dispatched'),
    );
  }),
  sender(RevocationDispatcher, ({ dataSource, config, logger, send }) => {
    const store = new TokenRevocationStore(dataSource);
    const options = {
      queueTarget: REVOCATIONS_WAITING,
      redispatchAfterMs: config.dispatch.redispatchAfterMs,
    };
    const jobOf = ({ connectionId }: DueRevocation) => revokeTokensJob(connectionId, randomUUID());
    return new RevocationDispatcher(
      { take: () => store.take(options), requeue: (due) => store.requeue(due) },
      (due) => send('revoke-tokens', due.map(jobOf)),
      warnRarely(logger, 'revocations not dispatched'),
    );
  }),
  sender(TaskDispatcher, ({ dataSource, config, logger, send }) => {
    const store = new DomainTaskStore(dataSource);
    const options = {
      queueTarget: TASKS_WAITING,
      tenantTarget: TASKS_OF_A_TENANT,
      redispatchAfterMs: config.dispatch.redispatchAfterMs,
    };
    const jobOf = ({ taskId }: DueTask) => domainTaskJob(taskId, randomUUID());
    return new TaskDispatcher(
      { take: () => store.take(options), requeue: (due) => store.requeue(due) },
      (due) => send('domain-task', due.map(jobOf)),
      warnRarely(logger, 'tasks not dispatched'),
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
