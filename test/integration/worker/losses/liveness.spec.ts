import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { getQueueToken } from '@nestjs/bullmq';
import type { INestApplicationContext } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { pino } from 'pino';
import { parseEnv } from '#libs/config';
import { createDataSource, ExecutionAcceptanceStore, ExecutionStore } from '#libs/persistence';
import type { DataSource } from 'typeorm';
import { reservePort } from '../../../support/services/reserve-port.js';
import { createWorkerApp } from '../../../../apps/worker/src/worker.module.js';
import { ExecuteProcessor } from '../../../../apps/worker/src/execute/execute.processor.js';
import { aSubmission } from '../../../support/builders/submission.js';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { waitFor } from '../../../support/services/wait-for.js';

const TIMEOUT_MS = 60_000;

let database: TestDatabase;
let dataSource: DataSource;
let worker: INestApplicationContext;
let health: string;

beforeAll(async () => {
  database = await createSeededDatabase();
  dataSource = await createDataSource({ url: database.url }).initialize();
});
beforeEach(async () => {
  health = `http://127.0.0.1:${await reservePort()}`;
});
afterEach(() => worker.close());
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

async function startWorker(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  const env = {
    DATABASE_URL: database.url,
    WORKER_PORT: new URL(health).port,
    CONNECTION_PING_SECONDS: '1',
    DISPATCH_INTERVAL_MS: '100',
    DISPATCH_AGAIN_SECONDS: '1',
    ...settings,
  };
  worker = await createWorkerApp(parseEnv(env), pino({ level: 'silent' }));
}

const isOk = async (path: string): Promise<boolean> => (await fetch(`${health}${path}`)).status === 200;
const untilLive = (): Promise<boolean> =>
  waitFor(() => isOk('/healthz'), { description: 'the worker to be live again', timeoutMs: TIMEOUT_MS });
const untilNotLive = (): Promise<boolean> =>
  waitFor(async () => !(await isOk('/healthz')), {
    description: 'the worker to be found of no more use',
    timeoutMs: TIMEOUT_MS,
  });

async function submit(): Promise<string> {
  const submission = aSubmission();
  await new ExecutionAcceptanceStore(dataSource).accept(submission);
  return submission.executionId;
}

async function untilFinished(id: string): Promise<void> {
  const executions = new ExecutionStore(dataSource);
  const isFinished = async () => (await executions.find('default', id))?.finished_at !== null;
  await waitFor(isFinished, { description: 'the worker to take what waits', timeoutMs: TIMEOUT_MS });
}

it(
  'a worker that takes none of the jobs that wait for it is not live, until it takes one',
  async () => {
    await startWorker();
    expect([await isOk('/healthz'), await isOk('/readyz')]).toEqual([true, true]);
    // The worker is intact, but the paused queue delivers no job.
    const queue = worker.get<Queue>(getQueueToken('execute'), { strict: false });
    await queue.pause();
    const id = await submit();
    await untilNotLive();

    expect(worker.get(ExecuteProcessor).worker.isRunning()).toBe(true);
    await queue.resume();
    await untilFinished(id);
    await untilLive();
  },
  TIMEOUT_MS,
);

it(
  'work that is due counts, though it is marked as never sent',
  async () => {
    await startWorker({ WORKER_ROLES: 'execute' });
    const id = await submit();
    await untilNotLive();

    const [row] = await dataSource.query<[{ dispatched_at: Date | null }]>(
      'SELECT dispatched_at FROM execution WHERE id = $1',
      [id],
    );
    expect(row.dispatched_at).toBeNull();
    await dataSource.query(`DELETE FROM execution WHERE id = $1`, [id]);
    await untilLive();
  },
  TIMEOUT_MS,
);

it(
  'a worker whose sends fail again and again is not live, until one succeeds',
  async () => {
    // So long that untaken work is not the reason for the failed liveness.
    await startWorker({ DISPATCH_AGAIN_SECONDS: '600' });
    await dataSource.query('ALTER TABLE bullmq.job RENAME TO lost');
    const id = await submit();
    await untilNotLive();

    await dataSource.query('ALTER TABLE bullmq.lost RENAME TO job');
    await untilFinished(id);
    await untilLive();
  },
  TIMEOUT_MS,
);
