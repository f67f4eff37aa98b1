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
 * So many pings may be in vain before a restart is asked for: 30 s by default, in which every connection is replaced if it
 * can be, and after which there is time left to be restarted within a minute.
 */
const PINGS_IN_VAIN = 6;

/** Health of everything that this worker is connected to. */
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
 * A process that takes documents in, and does nothing else, is of no use without the store of files: a release that cannot
 * reach it is not rolled out further. One that does more goes on with that. No restart helps, so it is not watched.
 */
function storesOf({ worker: { roles } }: AppConfig, blobs: BlobStore | null): Pick<Connected, 'check'>[] {
  if (blobs === null || roles.some((role) => role !== 'ingest')) return [];
  const watch = new BlobWatch(blobs, systemClock);
  return [{ check: () => withinTime('store of files', watch.check()) }];
}

/** Bounds the check of a connection: a frozen server never answers, but a probe needs an answer. */
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
