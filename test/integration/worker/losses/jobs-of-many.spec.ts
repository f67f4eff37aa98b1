import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { pino } from 'pino';
import { parseEnv } from '#libs/config';
import { ExecutionSlots, RunExecution } from '#libs/executions';
import { executeJob } from '#libs/payloads';
import { createDataSource, ExecutionAcceptanceStore } from '#libs/persistence';
import { JobProducer } from '#libs/queue';
import { reservePort } from '../../../support/services/reserve-port.js';
import type { DataSource } from 'typeorm';
import { createWorkerApp } from '../../../../apps/worker/src/worker.module.js';
import { aSubmission } from '../../../support/builders/submission.js';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestRedis } from '../../../support/services/redis-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { describeWithRedis } from '../../../support/services/test-redis.js';
import { waitFor } from '../../../support/services/wait-for.js';

const TIMEOUT_MS = 60_000;
const PLACES = 3;

describe('a job that names several executions, in PostgreSQL', () => jobsOfMany(null));
describeWithRedis('a job that names several executions, in Redis', jobsOfMany);

/** No dispatcher runs here: the worker gets its executions from one job only. */
function jobsOfMany(redis: TestRedis | null): void {
  let database: TestDatabase;
  let dataSource: DataSource;
  let worker: INestApplicationContext;

  beforeAll(async () => {
    database = await createSeededDatabase();
    dataSource = await createDataSource({ url: database.url }).initialize();
    const env = {
      DATABASE_URL: database.url,
      WORKER_PORT: String(await reservePort()),
      WORKER_ROLES: 'execute',
      WORKER_CONCURRENCY: String(PLACES),
      // With a reserve, a slow machine would run waiting executions beyond the places.
      WORKER_RESERVE: '0',
      DISPATCH_AGAIN_SECONDS: '600',
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
    'runs all of them, never more at once than there are places',
    async () => {
      let running = 0;
      let most = 0;
      const runExecution = worker.get(RunExecution);
      const execute = runExecution.execute.bind(runExecution);
      runExecution.execute = async (executionId, drain, listener, assigned) => {
        running += 1;
        most = Math.max(most, running);
        let isRunning = true;
        const end = (): void => {
          if (isRunning) running -= 1;
          isRunning = false;
        };
        // Only its last event is still to be sent then.
        const onStored = (): void => {
          end();
          listener?.onStored?.();
        };
        await execute(executionId, drain, { ...listener, onStored }, assigned).finally(end);
      };
      const ids = await Promise.all(Array.from({ length: 16 }, () => submit()));
      const [first = '', ...more] = ids;
      await worker.get(JobProducer).send('execute', [executeJob([first, ...more], randomUUID())]);

      await waitFor(async () => (await countOpen()) === 0, {
        description: 'all of them to end',
        timeoutMs: TIMEOUT_MS,
      });
      expect(most).toBe(PLACES);
      await waitFor(() => worker.get(ExecutionSlots).free === PLACES, {
        description: 'all places to be free again',
      });
    },
    TIMEOUT_MS,
  );

  /** Accepts an execution marked as dispatched, so that no dispatcher sends it. */
  async function submit(): Promise<string> {
    const submission = aSubmission();
    await new ExecutionAcceptanceStore(dataSource).accept(submission);
    await dataSource.query(`UPDATE execution SET dispatched_at = now() WHERE id = $1`, [
      submission.executionId,
    ]);
    return submission.executionId;
  }

  async function countOpen(): Promise<number> {
    const [row] = await dataSource.query<[{ count: number }]>(
      `SELECT count(*)::int AS count FROM execution WHERE status IN ('queued', 'running')`,
    );
    return row.count;
  }
}
