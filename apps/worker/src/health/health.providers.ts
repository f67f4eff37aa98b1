import type { OptionalFactoryDependency, Provider } from '@nestjs/common';
import { unlessAborted } from '#libs/concurrency';
import type { AppConfig } from '#libs/config';
import { EventStreamHealth } from '#libs/event-stream';
import { AppError, systemClock } from '#libs/kernel';
import { BlobStore } from '#libs/knowledge';
import { checkDatabase, checkDatabaseAfresh, WorkerPresence } from '#libs/persistence';
import { QueueHealth } from '#libs/queue';
import { DataSource } from 'typeorm';
import { BlobWatch } from '../ingest/blob-watch.js';
import { WORKER_CONFIG } from '../worker.tokens.js';
import { ConnectionWatch, SendWatch, WorkerHealth, type Connected } from './worker-health.js';

const ANSWER_WITHIN_MS = 3_000;
/**
 * So many pings may be in vain before a restart is asked for: 30 s by default, in which every connection is replaced if it
 * can be, and after which there is time left to be restarted within a minute.
 */
const PINGS_IN_VAIN = 6;

const presence: OptionalFactoryDependency = { token: WorkerPresence, optional: true };

export const healthProviders: Provider[] = [
  { provide: SendWatch, useFactory: () => new SendWatch(systemClock) },
  {
    provide: WorkerHealth,
    inject: [WORKER_CONFIG, DataSource, QueueHealth, EventStreamHealth, BlobStore, SendWatch, presence],
    useFactory: (
      config: AppConfig,
      dataSource: DataSource,
      queue: QueueHealth,
      events: EventStreamHealth,
      blobs: BlobStore | null,
      sends: SendWatch,
      presence?: WorkerPresence,
    ) => {
      const { pingEveryMs, url } = config.database;
      const checkDatabaseNow = () => checkDatabaseAfresh(url, ANSWER_WITHIN_MS);
      const checkQueueNow = () => queue.checkServer();
      const connected: Connected[] = [
        { name: 'database', check: () => checkDatabase(dataSource), checkAfresh: checkDatabaseNow },
        { name: 'queue', check: () => queue.check(), checkAfresh: checkQueueNow },
        {
          name: 'event stream',
          check: () => events.check(),
          checkAfresh: config.redis === null ? checkDatabaseNow : checkQueueNow,
        },
        ...(presence
          ? [{ name: 'presence', check: () => presence.check(), checkAfresh: checkDatabaseNow }]
          : []),
      ].map(inTime);
      const sending: Connected = { name: 'sends', check: () => sends.check(), checkAfresh: checkQueueNow };
      const patienceMs = PINGS_IN_VAIN * pingEveryMs;
      const watches = [...connected, sending].map(
        (watched) => new ConnectionWatch(watched, patienceMs, systemClock),
      );
      return new WorkerHealth([...connected, ...storesOf(config, blobs)], watches, pingEveryMs);
    },
  },
];

/**
 * A process that takes documents in, and does nothing else, is of no use without the store of files: a release that cannot
 * reach it is not rolled out further. One that does more goes on with that. No restart helps, so it is not watched.
 */
function storesOf({ worker: { roles } }: AppConfig, blobs: BlobStore | null): Pick<Connected, 'check'>[] {
  if (blobs === null || roles.some((role) => role !== 'ingest')) return [];
  const watch = new BlobWatch(blobs, systemClock);
  return [{ check: () => withinTime('store of files', watch.check()) }];
}

/** A server that is frozen never answers; whoever asks wants an answer all the same. */
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
