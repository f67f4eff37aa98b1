import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { getQueueToken } from '@nestjs/bullmq';
import type { INestApplicationContext } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { pino } from 'pino';
import { parseEnv } from '#libs/config';
import { createDataSource, ExecutionIntakeStore, ExecutionStore } from '#libs/persistence';
import type { DataSource } from 'typeorm';
import { createWorkerApp } from '../../../apps/worker/src/create-worker-app.js';
import { ExecuteProcessor } from '../../../apps/worker/src/execute/execute.processor.js';
import { aSubmission } from '../../support/builders/submission.js';
import { freePort } from '../../support/services/free-port.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';
import { waitFor } from '../../support/services/wait-for.js';

let database: TestDatabase;
let dataSource: DataSource;
let worker: INestApplicationContext;
let health: string;

beforeAll(async () => {
  database = await createSeededDatabase();
  dataSource = await createDataSource({ url: database.url }).initialize();
  const port = await freePort();
  health = `http://127.0.0.1:${port}/healthz`;
  const env = {
    DATABASE_URL: database.url,
    WORKER_PORT: String(port),
    DISPATCH_INTERVAL_MS: '100',
    DISPATCH_AGAIN_SECONDS: '1',
  };
  worker = await createWorkerApp(parseEnv(env), pino({ level: 'silent' }));
});
afterAll(async () => {
  await worker.close();
  await dataSource.destroy();
  await database.drop();
});

const isLive = async (): Promise<boolean> => (await fetch(health)).status === 200;

it('a worker that takes none of the jobs that wait for it is not live, until it takes one', async () => {
  expect(await isLive()).toBe(true);
  // Nothing of the worker is broken: no job ever reaches it.
  const queue = worker.get<Queue>(getQueueToken('execute'), { strict: false });
  await queue.pause();
  const submission = aSubmission();
  await new ExecutionIntakeStore(dataSource).accept(submission);
  await waitFor(async () => !(await isLive()), { description: 'the deaf worker to be noticed' });

  expect(worker.get(ExecuteProcessor).worker.isRunning()).toBe(true);
  await queue.resume();
  const executions = new ExecutionStore(dataSource);
  await waitFor(
    async () => (await executions.find('default', submission.executionId))?.finished_at !== null,
    { description: 'the worker to take what waits' },
  );
  await waitFor(isLive, { description: 'the worker to be live again' });
});
