import { expect, it } from '@jest/globals';
import { getQueueToken } from '@nestjs/bullmq';
import { NestFactory } from '@nestjs/core';
import { Worker, type Queue } from 'bullmq';
import { QUEUE_NAMES } from '#libs/payloads';
import { watchedConnections } from '#libs/persistence';
import { createQueuePool, QueueModule } from '#libs/queue';
import { createSeededDatabase } from '../../support/services/migrated-database.js';

it('a process whose workers wait for jobs of every queue takes up those that come, however many queues there are', async () => {
  const database = await createSeededDatabase();
  const connections = watchedConnections({});
  const module = QueueModule.forRoot({
    redisUrl: null,
    databaseUrl: database.url,
    connections,
    onError: () => undefined,
  });
  const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
  const pool = createQueuePool(database.url, connections);
  const taken = new Set<string>();
  const all = Promise.withResolvers<null>();
  const workers = QUEUE_NAMES.map((name) => {
    const take = (): Promise<void> => {
      taken.add(name);
      if (taken.size === QUEUE_NAMES.length) all.resolve(null);
      return Promise.resolve();
    };
    const worker = new Worker(name, take, { connection: pool });
    worker.on('error', () => undefined);
    return worker;
  });
  try {
    await Promise.all(workers.map((worker) => worker.waitUntilReady()));
    await Promise.all(QUEUE_NAMES.map((name) => app.get<Queue>(getQueueToken(name)).add('job', {})));
    await all.promise;
  } finally {
    await Promise.all(workers.map((worker) => worker.close(true)));
    await pool.end();
    await app.close();
    await database.drop();
  }
  expect([...taken].sort()).toEqual([...QUEUE_NAMES].sort());
});
