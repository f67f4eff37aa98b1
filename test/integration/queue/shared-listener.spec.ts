import { afterAll, beforeAll, beforeEach, afterEach, expect, it } from '@jest/globals';
import { getQueueToken } from '@nestjs/bullmq';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Worker, type Queue } from 'bullmq';
import { Client, type Pool } from 'pg';
import { QUEUE_NAMES, type QueueName } from '#libs/payloads';
import { watchedConnections } from '#libs/persistence';
import { createQueuePool, QueueModule } from '#libs/queue';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';
import { waitFor } from '../../support/services/wait-for.js';

/** Connections with LISTEN as last statement; the anchor excludes a BullMQ statement with "listener" in a comment. */
const CONNECTIONS = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND query ~ '(^|\n)LISTEN bullmq_[a-z]+;'`;

let database: TestDatabase;
let administrator: Client;
let app: INestApplicationContext;
let pool: Pool;
let workers: Worker[];
let taken: string[];
beforeAll(async () => {
  database = await createSeededDatabase();
  administrator = new Client({ connectionString: database.url });
  await administrator.connect();
  const options = { redisUrl: null, databaseUrl: database.url, connections: watchedConnections({}) };
  const module = QueueModule.forRoot({ ...options, onError: () => undefined });
  app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
});
afterAll(async () => {
  await app.close();
  await administrator.end();
  await database.drop();
});
beforeEach(async () => {
  pool = createQueuePool(database.url, watchedConnections({}));
  pool.on('error', () => undefined);
  taken = [];
  workers = QUEUE_NAMES.map((name) => {
    const take = (): Promise<void> => {
      taken.push(name);
      return Promise.resolve();
    };
    const worker = new Worker(name, take, { connection: pool });
    worker.on('error', () => undefined);
    return worker;
  });
  await Promise.all(workers.map((worker) => worker.waitUntilReady()));
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.close(true)));
  await pool.end();
});

/** Adds a job to each of the queues and waits until the workers have taken them all. */
async function takeJobsOf(names: readonly QueueName[]): Promise<void> {
  await Promise.all(names.map((name) => app.get<Queue>(getQueueToken(name)).add('job', {})));
  await waitFor(() => taken.length === names.length, { description: `a job of ${names.join(', ')}` });
  expect([...taken].sort()).toEqual([...names].sort());
}

async function listening(): Promise<number[]> {
  const { rows } = await administrator.query<{ pid: number }>(CONNECTIONS);
  return rows.map(({ pid }) => pid);
}

async function untilListening(before: readonly number[] = []): Promise<number[]> {
  const isNew = async () => (await listening()).some((pid) => !before.includes(pid));
  await waitFor(isNew, { description: 'the workers to listen' });
  return listening();
}

it('the workers of a process listen on one connection, and each takes up the jobs of its own queue', async () => {
  await untilListening();

  await takeJobsOf(QUEUE_NAMES);

  expect(await listening()).toHaveLength(1);
  expect(pool.totalCount).toBeLessThanOrEqual(8);
});

it('workers listen on another connection when theirs is lost', async () => {
  const before = await untilListening();
  await administrator.query(`SELECT pg_terminate_backend(pid, 5000) FROM (${CONNECTIONS}) AS found`);

  await untilListening(before);

  await takeJobsOf(QUEUE_NAMES);
});

it('a worker that is closed leaves the others listening', async () => {
  await untilListening();
  await workers[0]?.close(true);

  await takeJobsOf(QUEUE_NAMES.slice(1));
});
