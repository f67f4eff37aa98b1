import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { createKey } from '../api-keys.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer, type RequestOptions } from '../http-client.js';
import { openStream, type SseConnection } from '../sse-client.js';

const SCOPES = ['executions:read', 'executions:write', 'webhooks:write'];
const EXECUTE = '/api/agents/1/execute/';
const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

let database: TestDatabase;
let api: RunningApi;
let keys: string[];

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({
    DATABASE_URL: database.url,
    AUTH: 'api-key',
    ENCRYPTION_KEY,
    EVENT_STREAMS_PER_KEY: '1',
    EVENT_STREAMS_PER_TENANT: '2',
    WAITING_SUBMITS_PER_KEY: '1',
    WAITING_SUBMITS_PER_TENANT: '2',
  });
  keys = await Promise.all([1, 2, 3].map(() => createKey(api.dataSource, SCOPES)));
});

afterAll(async () => {
  await api.app.close();
  await database.drop();
});

const WAITING = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

const bearer = (key = ''): Record<string, string> => ({ authorization: `Bearer ${key}` });
const askWith = (key: string | undefined, path: string, options: RequestOptions = {}): Promise<Answer> =>
  ask(api.url, path, { ...options, headers: { ...options.headers, ...bearer(key) } });

describe('event streams', () => {
  it('have places by key and by tenant, free again when one ends', async () => {
    const { body } = await askWith(keys[0], EXECUTE, { json: { input: 'x' } });
    const path = `/api/executions/${String(body.id)}/events/`;
    const follow = (key?: string): Promise<SseConnection> => openStream(api.url, path, bearer(key));
    const first = await follow(keys[0]);
    await first.take(1);

    const ofKey = await askWith(keys[0], path);
    const second = await follow(keys[1]);
    await second.take(1);
    const ofTenant = await askWith(keys[2], path);

    const words = (whose: string, limit: number): string =>
      `the ${whose} has ${limit} event streams open at this process, the maximum; try again later`;
    expectProblem(ofKey, { status: 429, code: 'STREAM_LIMIT', detail: words('API key', 1) });
    expectProblem(ofTenant, { status: 429, code: 'STREAM_LIMIT', detail: words('tenant', 2) });
    expect(ofKey.headers.get('retry-after')).toBe('5');
    first.leave();
    const isFree = async (): Promise<boolean> => {
      const next = await follow(keys[2]);
      next.leave();
      return next.status === 200;
    };
    await waitFor(isFree, { description: 'the place to be free' });
    second.leave();
  });

  it('keep no place for a client that goes away while its key is looked up', async () => {
    const { body } = await askWith(keys[0], EXECUTE, { json: { input: 'x' } });
    const path = `/api/executions/${String(body.id)}/events/`;
    const leave = new AbortController();
    const holder = api.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('LOCK TABLE api_key IN ACCESS EXCLUSIVE MODE');
    const left = askWith(keys[0], path, { signal: leave.signal });
    const isLookedUp = async (): Promise<boolean> =>
      (await api.dataSource.query<object[]>(WAITING)).length > 0;
    await waitFor(isLookedUp, { description: 'the look-up of the key to wait' });
    leave.abort();
    await expect(left).rejects.toThrow();
    const hasGone = (line: string): boolean => line.includes(path) && line.includes('the client has gone');
    await waitFor(() => api.log.some(hasGone), { description: 'the client to have gone' });
    await holder.rollbackTransaction();
    await holder.release();
    await askWith(keys[0], `/api/executions/${String(body.id)}/`);

    const next = await openStream(api.url, path, bearer(keys[0]));

    expect(next.status).toBe(200);
    next.leave();
  });
});

describe('submits that wait', () => {
  it('have places by key and by tenant; one that is refused is not accepted', async () => {
    const leave = new AbortController();
    const submit = (key: string | undefined, name: string, signal?: AbortSignal): Promise<Answer> =>
      askWith(key, EXECUTE, {
        json: { input: 'x', metadata: { name } },
        headers: { prefer: 'wait=60' },
        ...(signal && { signal }),
      });
    const count = async (): Promise<number> => {
      const [row] = await api.dataSource.query<{ count: number }[]>('SELECT count(*)::int FROM execution');
      return row?.count ?? 0;
    };
    const before = await count();
    const waiting = [submit(keys[0], 'a', leave.signal), submit(keys[1], 'b', leave.signal)];
    const gone = Promise.allSettled(waiting);
    await waitFor(async () => (await count()) === before + 2, { description: 'both to be accepted' });

    const ofKey = await submit(keys[0], 'c');
    const ofTenant = await submit(keys[2], 'd');
    const unwaited = await askWith(keys[2], EXECUTE, { json: { input: 'x' } });

    const words = (whose: string, limit: number): string =>
      `the ${whose} has ${limit} requests that wait for a result open at this process, the maximum; try again later`;
    expectProblem(ofKey, { status: 429, code: 'WAIT_LIMIT', detail: words('API key', 1) });
    expectProblem(ofTenant, { status: 429, code: 'WAIT_LIMIT', detail: words('tenant', 2) });
    expect(ofTenant.headers.get('retry-after')).toBe('5');
    expect(unwaited.status).toBe(202);
    expect(await count()).toBe(before + 3);
    leave.abort();
    await gone;
  });
});

describe('webhook endpoints', () => {
  it('are twenty of a tenant at most, also when many are made at the same time', async () => {
    const create = (key?: string): Promise<Answer> =>
      askWith(key, '/api/webhook-endpoints/', { json: { url: 'https://example.com/' } });

    const answers = await Promise.all(Array.from({ length: 40 }, () => create(keys[0])));

    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 20 }, () => 201),
      ...Array.from({ length: 20 }, () => 422),
    ]);
    const detail = 'the tenant has 20 webhook endpoints, the maximum; delete one first';
    expectProblem(await create(keys[0]), { status: 422, code: 'TOO_MANY_ENDPOINTS', detail });
    const stranger = await createKey(api.dataSource, SCOPES, 'stranger');
    expect((await create(stranger)).status).toBe(201);
    const [made] = answers.filter(({ status }) => status === 201);
    await askWith(keys[0], `/api/webhook-endpoints/${String(made?.body.id)}/`, { method: 'DELETE' });
    expect((await create(keys[0])).status).toBe(201);
  });
});
