import { Inject, Injectable, Optional } from '@nestjs/common';
import { unlessAborted } from '#libs/concurrency';
import type { AppConfig } from '#libs/config';
import { EventStreamHealth } from '#libs/event-stream';
import { AppError, systemClock } from '#libs/kernel';
import { BlobStore } from '#libs/knowledge';
import { checkDatabase, checkDatabaseAfresh, WorkerPresence } from '#libs/persistence';
import { QueueHealth } from '#libs/queue';
import { DataSource } from 'typeorm';
import { JobSender } from '../dispatch/job-sender.js';
import { BlobWatch } from '../ingest/blob-watch.js';
import { WORKER_CONFIG } from '../worker.tokens.js';
import { ConnectionWatch, WorkerHealth, type Connected, type SendWatch } from './worker-health.js';

const ANSWER_WITHIN_MS = 3_000;
/**
 * Failed checks before a restart is requested: 30 s by default. In that time all connections are replaced if possible,
 * and a restart still fits within a minute.
 */
const PINGS_IN_VAIN = 6;

/** Health of this worker's connections. */
@Injectable()
export class ConnectedHealth extends WorkerHealth {
  constructor(
    @Inject(WORKER_CONFIG) config: AppConfig,
    dataSource: DataSource,
    queue: QueueHealth,
    events: EventStreamHealth,
    @Inject(BlobStore) blobs: BlobStore | null,
    { watch: sends }: JobSender,
    @Optional() presence?: WorkerPresence,
  ) {
    const { pingEveryMs } = config.database;
    const connected = connectionsOf(config, dataSource, queue, events, presence).map(inTime);
    const watches = [...connected, sendingOf(sends, queue)].map(
      (watched) => new ConnectionWatch(watched, PINGS_IN_VAIN * pingEveryMs, systemClock),
    );
    super([...connected, ...storesOf(config, blobs)], watches, pingEveryMs);
  }
}

function connectionsOf(
  { database: { url }, redis }: AppConfig,
  dataSource: DataSource,
  queue: QueueHealth,
  events: EventStreamHealth,
  presence: WorkerPresence | undefined,
): Connected[] {
  const checkDatabaseNow = () => checkDatabaseAfresh(url, ANSWER_WITHIN_MS);
  const checkQueueNow = () => queue.checkServer();
  return [
    { name: 'database', check: () => checkDatabase(dataSource), checkAfresh: checkDatabaseNow },
    { name: 'queue', check: () => queue.check(), checkAfresh: checkQueueNow },
    {
      name: 'event stream',
      check: () => events.check(),
      checkAfresh: redis === null ? checkDatabaseNow : checkQueueNow,
    },
    ...(presence ? [{ name: 'presence', check: () => presence.check(), checkAfresh: checkDatabaseNow }] : []),
  ];
}

function sendingOf(sends: SendWatch, queue: QueueHealth): Connected {
  return { name: 'sends', check: () => sends.check(), checkAfresh: () => queue.checkServer() };
}

/**
 * A process with only the ingest role is unready without its blob store, so that a rollout that cannot reach it stops.
 * Processes with more roles stay ready. The store is not watched for liveness, since no restart helps.
 */
function storesOf({ worker: { roles } }: AppConfig, blobs: BlobStore | null): Pick<Connected, 'check'>[] {
  if (blobs === null || roles.some((role) => role !== 'ingest')) return [];
  const watch = new BlobWatch(blobs, systemClock);
  return [{ check: () => withinTime('store of files', watch.check()) }];
}

/** Limits the time of a connection check: a frozen server never answers, but a probe needs an answer. */
function inTime(connected: Connected): Connected {
  return { ...connected, check: () => withinTime(connected.name, connected.check()) };
}

function withinTime(name: string, check: Promise<void>): Promise<void> {
  return unlessAborted(check, AbortSignal.timeout(ANSWER_WITHIN_MS), () => noAnswer(name));
}

function noAnswer(name: string): AppError {
  return new AppError({
    code: 'NOT_READY',
    kind: 'unavailable',
    message: `the ${name} does not answer`,
    retryable: true,
  });
}
