import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { BullRegistrar } from '@nestjs/bullmq';
import { NestFactory } from '@nestjs/core';
import { createPostgresBackend, setDefaultBackendFactory, Worker } from 'bullmq';
import { pino } from 'pino';
import { createDataSource, watchedConnections } from '#libs/persistence';
import { createQueuePool, QueueModule } from '#libs/queue';
import type { QueueProcessor } from '../../../apps/worker/src/queue/queue-processor.js';
import { WorkerRegistrar } from '../../../apps/worker/src/queue/worker-registrar.js';
import { DrainSignal } from '../../../apps/worker/src/shutdown/shutdown.js';
import { DyingPostgres } from '../../support/services/dying-postgres.js';
import { waitFor } from '../../support/services/wait-for.js';

// An 'error' event without a listener would end the process, which Jest reports as a failed test.

let server: DyingPostgres;
beforeAll(async () => {
  server = await DyingPostgres.listen();
});
afterAll(() => server.close());

it('a data source outlives a connection that ends as soon as it is made', async () => {
  await expect(createDataSource({ url: server.url }).initialize()).rejects.toThrow();
});

it('a queue survives a pooled connection that ends before it has a listener', async () => {
  const pool = createQueuePool(server.url, watchedConnections({}));
  const losses: Error[] = [];
  pool.on('error', (error) => losses.push(error));

  const client = await pool.connect();

  await expect(client.query('SELECT 1')).rejects.toThrow();
  client.release(true);
  await waitFor(() => pool.totalCount === 0, { description: 'the pool to drop it' });
  await pool.end();
});

it('a process whose queues cannot be reached at its start does not start', async () => {
  const onError = (): void => undefined;
  const module = QueueModule.forRoot({
    redisUrl: null,
    databaseUrl: server.url,
    connections: watchedConnections({}),
    onError,
  });

  const starting = NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });

  await expect(starting).rejects.toThrow();
});

it('a worker that cannot reach its queue at its start does not start, rather than failing for ever', async () => {
  const pool = createQueuePool(server.url, watchedConnections({}));
  pool.on('error', () => undefined);
  setDefaultBackendFactory(createPostgresBackend);
  const worker = new Worker('execute', () => Promise.resolve(), { connection: pool, autorun: false });
  worker.on('error', () => undefined);
  const registrar = new WorkerRegistrar(
    { register: () => undefined } as unknown as BullRegistrar,
    () => [{ worker, concurrency: 1 } as unknown as QueueProcessor],
    new DrainSignal(),
    pino({ level: 'silent' }),
    1_000,
  );

  await expect(registrar.start()).rejects.toThrow();

  expect(worker.isRunning()).toBe(false);
  await worker.close(true).catch(() => undefined);
  await pool.end();
});
