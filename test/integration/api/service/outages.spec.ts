import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import { startBreakableProxy } from '../../../support/services/breakable-proxy.js';
import { FlakyProxy } from '../../../support/services/flaky-proxy.js';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { describeWithRedis } from '../../../support/services/test-redis.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask } from '../http-client.js';

const EXECUTE = '/api/agents/1/execute/';
const running: { stop(): Promise<void> }[] = [];

let database: TestDatabase;

beforeAll(async () => {
  database = await createSeededDatabase();
});

afterEach(async () => {
  while (running.length > 0) await running.pop()?.stop();
});

afterAll(async () => {
  await database.drop();
});

async function start(env: Readonly<Record<string, string>>): Promise<RunningApi> {
  const api = await startApi({ DATABASE_URL: database.url, ...env });
  running.push({ stop: () => api.app.close() });
  return api;
}

async function proxyOf(url: string): Promise<FlakyProxy> {
  const proxy = await FlakyProxy.before(url);
  running.push({ stop: () => proxy.close() });
  return proxy;
}

/** Submits an execution; returns its id and the data of its job. */
async function submitAndFindJob(api: RunningApi): Promise<{ id: string; data: unknown }> {
  const queue = api.app.get<Queue>(getQueueToken('execute'), { strict: false });
  const { body } = await ask(api.url, EXECUTE, { json: { input: 'x' } });
  const id = String(body.id);
  const jobOf = async () => (await queue.getWaiting()).find((job) => isOf(job.data, id));
  const job = await waitFor(jobOf, { description: 'the job' });
  return { id, data: job.data };
}

const isOf = (data: unknown, id: string): boolean => JSON.stringify(data).includes(id);

describe('with the queue in PostgreSQL', () => {
  it('a submit is sent to a worker at once', async () => {
    const api = await start({});

    const { id, data } = await submitAndFindJob(api);

    expect(data).toEqual({ v: 1, executionId: id });
  });

  it('a database that is down is answered 503 with Retry-After, and comes back', async () => {
    const proxy = await proxyOf(database.url);
    const api = await start({ DATABASE_URL: proxy.through(database.url) });
    const restart = await proxy.shutDown();

    for (const path of ['/api/agents/', '/api/executions/', '/api/webhook-endpoints/']) {
      const answer = await ask(api.url, path);
      const detail = 'the database is not reachable at the moment; try again later';
      expectProblem(answer, { status: 503, code: 'DATABASE_UNAVAILABLE', detail });
      expect(answer.headers.get('retry-after')).toBe('2');
    }
    expect((await ask(api.url, EXECUTE, { json: { input: 'x' } })).status).toBe(503);
    expect((await ask(api.url, '/healthz')).status).toBe(200);
    expect(await ask(api.url, '/readyz')).toMatchObject({ status: 503, body: { code: 'NOT_READY' } });

    await restart();
    expect((await ask(api.url, EXECUTE, { json: { input: 'x' } })).status).toBe(202);
    expect((await ask(api.url, '/readyz')).status).toBe(200);
  });
});

describeWithRedis('with the queue in Redis', (redis) => {
  it('a submit is sent to a worker at once', async () => {
    const api = await start({ REDIS_URL: redis.url });

    const { id, data } = await submitAndFindJob(api);

    expect(data).toEqual({ v: 1, executionId: id });
  });

  it('a submit is accepted while Redis is down, and waits to be sent', async () => {
    const proxy = await proxyOf(redis.url);
    const api = await start({ REDIS_URL: proxy.through(redis.url) });
    // The queue can only be closed while Redis is reachable, so the cleanup restores Redis.
    running.push({ stop: await proxy.shutDown() });

    const answer = await ask(api.url, EXECUTE, { json: { input: 'x' } });

    expect(answer.status).toBe(202);
    const isSent = async (): Promise<boolean> => {
      const [row] = await api.dataSource.query<[{ is_sent: boolean }]>(
        'SELECT dispatched_at IS NOT NULL AS is_sent FROM execution WHERE id = $1',
        [answer.body.id],
      );
      return row.is_sent;
    };
    await waitFor(isSent, { description: 'the execution to be taken for sending' });
    await waitFor(async () => !(await isSent()), { description: 'the execution to be released' });
    const readiness = await ask(api.url, '/readyz');
    expectProblem(readiness, { status: 503, code: 'NOT_READY', detail: 'the queue does not answer' });
  });

  it('readiness is that of the connections in use, not of new ones', async () => {
    const proxy = await startBreakableProxy(redis.url);
    running.push({ stop: () => proxy.close() });
    const api = await start({ REDIS_URL: proxy.url, CONNECTION_PING_SECONDS: '1' });
    expect((await ask(api.url, '/readyz')).status).toBe(200);
    proxy.silence();

    expect((await ask(api.url, '/readyz')).status).toBe(503);

    await waitFor(async () => (await ask(api.url, '/readyz')).status === 200, {
      description: 'the connections to be replaced',
    });
  });
});
