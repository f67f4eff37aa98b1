import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { pino } from 'pino';
import { parseEnv } from '#libs/config';
import { QueueHealth } from '#libs/queue';
import { createDataSource, ExecutionAcceptanceStore, ExecutionStore } from '#libs/persistence';
import { reservePort } from '../../../support/services/reserve-port.js';
import type { DataSource } from 'typeorm';
import { createWorkerApp } from '../../../../apps/worker/src/worker.module.js';
import { aSubmission } from '../../../support/builders/submission.js';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestRedis } from '../../../support/services/redis-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { describeWithRedis } from '../../../support/services/test-redis.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { DISPATCH_OPTIONS } from '../../persistence/persistence-world.js';

const TIMEOUT_MS = 60_000;

describe('an accepted execution whose process died before it sent the job, in PostgreSQL', () =>
  lostJobs(null));
describeWithRedis('an accepted execution whose process died before it sent the job, in Redis', lostJobs);

function lostJobs(redis: TestRedis | null): void {
  let database: TestDatabase;
  let dataSource: DataSource;
  let worker: INestApplicationContext;

  beforeAll(async () => {
    database = await createSeededDatabase();
    dataSource = await createDataSource({ url: database.url }).initialize();
    const env = {
      DATABASE_URL: database.url,
      WORKER_PORT: String(await reservePort()),
      DISPATCH_AGAIN_SECONDS: '3600',
      ...(redis && { REDIS_URL: redis.url, REDIS_NAMESPACE: redis.prefix }),
    };
    worker = await createWorkerApp(parseEnv(env), pino({ level: 'silent' }));
  }, TIMEOUT_MS);
  afterAll(async () => {
    await worker.close();
    await dataSource.destroy();
    await database.drop();
  }, TIMEOUT_MS);

  it(
    'is sent again as soon as the queue is empty',
    async () => {
      const submission = aSubmission();
      const acceptance = await new ExecutionAcceptanceStore(dataSource, DISPATCH_OPTIONS).accept(submission);
      expect(acceptance).toMatchObject({ kind: 'accepted', isDispatched: true });
      const executions = new ExecutionStore(dataSource);
      const isFinished = async () =>
        (await executions.find('default', submission.executionId))?.finished_at !== null;
      await waitFor(isFinished, { description: 'a worker to take it up', timeoutMs: TIMEOUT_MS });
      const isEmpty = () => worker.get(QueueHealth).isEmpty('execute');
      await waitFor(isEmpty, { description: 'the job to be removed', timeoutMs: TIMEOUT_MS });
    },
    TIMEOUT_MS,
  );
}
