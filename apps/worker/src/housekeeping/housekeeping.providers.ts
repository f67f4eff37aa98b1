import { setTimeout } from 'node:timers/promises';
import type { Provider } from '@nestjs/common';
import { EventStream, ExecutionDispatcher } from '#libs/executions';
import type { AppConfig } from '#libs/config';
import { BlobStore } from '#libs/knowledge';
import type { Logger } from '#libs/observability';
import {
  ApprovalStore,
  ConnectionStore,
  DocumentChangesStore,
  DocumentSearchStore,
  eraseDeletedSessions,
  ExecutionTokenStore,
  FileStore,
  expireIdempotencyKeys,
  expireKeptAnswers,
  expireRateLimits,
  forgetIdleReceivers,
  IndexVectors,
  ToolTrialStore,
  WebhookSecretStore,
} from '#libs/persistence';
import { QueueHealth } from '#libs/queue';
import { DataSource } from 'typeorm';
import { DeliveryDispatcher, IngestionDispatcher, LostJobsDispatcher } from '../dispatch.providers.js';
import { removeBlobs } from '../ingest/remove-blobs.js';
import { JobDispatchers } from '../jobs/job-dispatchers.js';
import { disposeFiles } from './dispose-files.js';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';
import { Housekeeper, type PeriodicTask } from './housekeeper.js';
import { deleteIdleSessions, eraseSession, LOOK_EVERY_MS, reapDeadWorkers } from './housekeeping.tasks.js';

const LOST_JOBS_EVERY_MS = 1_000;
const APPROVALS_EVERY_MS = 5_000;
const UNDECIDED = 'nobody decided in time';
const RETENTION_EVERY_MS = 60_000;
/** What is not indexed yet is found all the same. */
const VECTORS_EVERY_MS = 10_000;
/** Kept for days, so minutes do not matter. */
const IDLE_SESSIONS_EVERY_MS = 600_000;

/** The reconciler is the dispatchers' own selection, repeated: what was lost is due again. */
export const housekeepingProviders: Provider[] = [
  {
    provide: Housekeeper,
    inject: [
      ExecutionDispatcher,
      LostJobsDispatcher,
      QueueHealth,
      DeliveryDispatcher,
      JobDispatchers,
      IngestionDispatcher,
      EventStream,
      BlobStore,
      DataSource,
      WORKER_CONFIG,
      LOGGER,
    ],
    useFactory: (
      executions: ExecutionDispatcher,
      lostJobs: LostJobsDispatcher,
      queues: QueueHealth,
      deliveries: DeliveryDispatcher,
      jobs: JobDispatchers,
      documents: IngestionDispatcher,
      events: EventStream,
      blobs: BlobStore | null,
      dataSource: DataSource,
      config: AppConfig,
      logger: Logger,
    ) => {
      const everyMs = config.dispatch.intervalMs;
      const approvals = new ApprovalStore(dataSource);
      const webhookSecrets = new WebhookSecretStore(dataSource);
      const tokens = new ExecutionTokenStore(dataSource);
      const tasks: PeriodicTask[] = [
        {
          name: 'release dead workers',
          everyMs: Math.min(everyMs, LOOK_EVERY_MS),
          run: async () => {
            if ((await reapDeadWorkers(dataSource, setTimeout)) === 0) return;
            executions.trigger();
            deliveries.trigger();
          },
        },
        { name: 'dispatch executions', everyMs, run: () => executions.dispatch() },
        {
          name: 'send again what an empty queue has lost',
          everyMs: LOST_JOBS_EVERY_MS,
          run: async () => ((await queues.isEmpty('execute')) ? lostJobs.dispatch() : 0),
        },
        { name: 'expire approvals', everyMs: APPROVALS_EVERY_MS, run: () => approvals.expire(UNDECIDED) },
        { name: 'dispatch webhooks', everyMs, run: () => deliveries.dispatch() },
        ...jobs.queues.map((queue) => ({
          name: `dispatch ${queue}`,
          everyMs,
          run: () => jobs.dispatch(queue),
        })),
        {
          name: 'erase deleted sessions',
          everyMs,
          run: () =>
            eraseDeletedSessions(dataSource, (session) => eraseSession(session, events, config.filesRoot)),
        },
        {
          name: 'delete idle sessions',
          everyMs: IDLE_SESSIONS_EVERY_MS,
          run: () => deleteIdleSessions(dataSource),
        },
        {
          name: 'forget replaced webhook secrets',
          everyMs: RETENTION_EVERY_MS,
          run: () => webhookSecrets.forgetExpired(),
        },
        {
          name: 'forget idle webhook receivers',
          everyMs: RETENTION_EVERY_MS,
          run: () => forgetIdleReceivers(dataSource),
        },
        {
          name: 'expire events',
          everyMs: RETENTION_EVERY_MS,
          run: () => events.expire(config.events.retentionMs),
        },
        {
          name: 'expire idempotency keys',
          everyMs: RETENTION_EVERY_MS,
          run: () => expireIdempotencyKeys(dataSource),
        },
        {
          name: 'expire kept answers',
          everyMs: RETENTION_EVERY_MS,
          run: () => expireKeptAnswers(dataSource),
        },
        {
          name: 'expire tool trials',
          everyMs: RETENTION_EVERY_MS,
          run: () => new ToolTrialStore(dataSource).expire(),
        },
        {
          name: 'expire searches',
          everyMs: RETENTION_EVERY_MS,
          run: () => new DocumentSearchStore(dataSource).expire(),
        },
        {
          name: 'expire connections',
          everyMs: RETENTION_EVERY_MS,
          run: () => new ConnectionStore(dataSource).expire(),
        },
        { name: 'expire tokens', everyMs: RETENTION_EVERY_MS, run: () => tokens.expire() },
        { name: 'expire rate limits', everyMs: RETENTION_EVERY_MS, run: () => expireRateLimits(dataSource) },
      ];
      return new Housekeeper([...tasks, ...knowledgeTasks(dataSource, documents, blobs, config)], logger);
    },
  },
];

/** Where documents and files are taken in. */
function knowledgeTasks(
  dataSource: DataSource,
  documents: IngestionDispatcher,
  blobs: BlobStore | null,
  { dispatch: { intervalMs: everyMs } }: AppConfig,
): PeriodicTask[] {
  if (blobs === null) return [];
  const store = new DocumentChangesStore(dataSource);
  const vectors = new IndexVectors(dataSource);
  return [
    { name: 'dispatch documents', everyMs, run: () => documents.dispatch() },
    { name: 'remove blobs', everyMs, run: () => removeBlobs(store, blobs) },
    { name: 'index vectors', everyMs: VECTORS_EVERY_MS, run: () => vectors.execute() },
    { name: 'expire files', everyMs: RETENTION_EVERY_MS, run: () => disposeFiles(new FileStore(dataSource)) },
  ];
}
