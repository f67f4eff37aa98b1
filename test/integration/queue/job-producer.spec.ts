import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { getQueueToken } from '@nestjs/bullmq';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Queue } from 'bullmq';
import { Client } from 'pg';
import { v7 as uuid } from 'uuid';
import { executeJob } from '#libs/payloads';
import { watchedConnections } from '#libs/persistence';
import { JobProducer, QueueModule } from '#libs/queue';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';
import type { TestRedis } from '../../support/services/redis-database.js';
import { describeWithRedis } from '../../support/services/test-redis.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createSeededDatabase();
});
afterAll(() => database.drop());

describe('sending jobs through PostgreSQL', () => {
  const opened = sendingJobs(null);

  it('says so when they cannot be sent', async () => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query('ALTER TABLE bullmq.job RENAME TO lost');
    const sent = opened.producer().send('execute', [someJob(), someJob()]);
    await expect(sent).rejects.toThrow('relation "job" does not exist');
    await client.query('ALTER TABLE bullmq.lost RENAME TO job');
    await client.end();
  });
});
describeWithRedis('sending jobs through Redis', sendingJobs);
describeWithRedis('two services on one Redis', (redis) => {
  it('never get each other’s jobs, under names of their own', async () => {
    const apps = await Promise.all(
      ['one', 'other'].map((name) => openQueues(redis, `${redis.prefix}-${name}`)),
    );
    const job = someJob();
    await apps[0]?.get(JobProducer).send('execute', [job]);
    const waiting = await Promise.all(
      apps.map((app) => app.get<Queue>(getQueueToken('execute')).getWaiting()),
    );
    expect(waiting.map((jobs) => jobs.map(({ id }) => id))).toEqual([[job.id], []]);
    await Promise.all(apps.map((app) => app.close()));
  });
});

function openQueues(redis: TestRedis | null, namespace?: string): Promise<INestApplicationContext> {
  const module = QueueModule.forRoot({
    redisUrl: redis?.url ?? null,
    databaseUrl: database.url,
    connections: watchedConnections({}),
    ...(namespace !== undefined && { namespace }),
    onError: () => undefined,
  });
  return NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
}

function sendingJobs(redis: TestRedis | null): { producer: () => JobProducer } {
  let app: INestApplicationContext;
  let queue: Queue;
  const producer = (): JobProducer => app.get(JobProducer);

  beforeAll(async () => {
    app = await openQueues(redis, redis?.prefix);
    queue = app.get<Queue>(getQueueToken('execute'));
  });
  afterAll(() => app.close());
  beforeEach(() => queue.drain());

  it('keeps the order in which they are given', async () => {
    const jobs = Array.from({ length: 20 }, someJob);
    await producer().send('execute', jobs);
    const waiting = await queue.getWaiting();
    expect(waiting.map((job) => job.id)).toEqual(jobs.map((job) => job.id));
    expect(waiting.map((job): unknown => job.data)).toEqual(jobs.map((job) => job.payload));
  });

  it('takes a job that is sent again for the same job, and the ones beside it for new ones', async () => {
    const [first, second, third] = [someJob(), someJob(), someJob()];
    await producer().send('execute', [first]);
    await producer().send('execute', [second, first, third]);
    const waiting = await queue.getWaiting();
    expect(waiting.map((job) => job.id)).toEqual([first.id, second.id, third.id]);
  });

  return { producer };
}

function someJob() {
  return executeJob([uuid()], uuid());
}
