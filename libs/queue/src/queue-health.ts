import type { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { assertSchemaCompatibility } from 'bullmq';
import { AppError } from '#libs/kernel';
import type { QueueName } from '#libs/payloads';
import type { QueueOptions } from './queue-options.js';
import { withinTime } from './within-time.js';

const ANSWER_WITHIN_MS = 3_000;

/** Health checks of the queue. A failed check throws an `AppError` with a one-line explanation. */
export class QueueHealth {
  constructor(
    private readonly options: QueueOptions,
    private readonly queues: readonly Queue[],
  ) {}

  /** Checks that the connections in use respond. */
  async check(): Promise<void> {
    const asking = Promise.all(this.queues.map((queue) => queue.isPaused()));
    try {
      await withinTime(asking, ANSWER_WITHIN_MS);
    } catch (cause) {
      throw unavailable('the queue does not answer on the connections that are in use', cause);
    }
  }

  /** Whether this queue has neither waiting nor active jobs. */
  async isEmpty(name: QueueName): Promise<boolean> {
    const queue = this.queues.find((one) => one.name === name);
    if (!queue) throw new Error(`the queue is unknown: "${name}"`);
    const counting = queue.getJobCountByTypes('waiting', 'active', 'delayed', 'prioritized');
    await withinTime(counting, ANSWER_WITHIN_MS);
    return (await counting) === 0;
  }

  /** Checks that jobs can be sent and taken over new connections, and how the server is configured. */
  async checkServer(): Promise<void> {
    if (this.options.redisUrl === null) await checkPostgres(this.options.databaseUrl);
    else await checkRedis(this.options.redisUrl);
  }
}

async function checkRedis(url: string): Promise<void> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: ANSWER_WITHIN_MS,
    commandTimeout: ANSWER_WITHIN_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  let policy: string | undefined;
  try {
    await redis.connect();
    policy = /maxmemory_policy:(\S+)/.exec(await redis.info('memory'))?.[1];
  } catch (cause) {
    throw unavailable('REDIS_URL: Redis does not answer there', cause);
  } finally {
    redis.disconnect();
  }
  if (policy !== undefined && policy !== 'noeviction') {
    throw new AppError({
      code: 'REDIS_EVICTS',
      kind: 'unavailable',
      message: `REDIS_URL: this Redis may evict jobs (maxmemory-policy is "${policy}"); set it to noeviction`,
    });
  }
}

async function checkPostgres(connectionString: string): Promise<void> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await assertSchemaCompatibility(client);
  } catch (cause) {
    throw unavailable('DATABASE_URL: the queue’s tables cannot be used; is the database migrated?', cause);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function unavailable(message: string, cause: unknown): AppError {
  return new AppError({ code: 'QUEUE_UNAVAILABLE', kind: 'unavailable', message, retryable: true, cause });
}
