import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expireRateLimits } from '#libs/persistence';
import { startBreakableProxy, type BreakableProxy } from '../../../support/services/breakable-proxy.js';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { describeWithRedis } from '../../../support/services/test-redis.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { createKey } from '../api-keys.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer } from '../http-client.js';

const LIST = '/api/agents/';
const LIMITS = {
  AUTH: 'api-key',
  TRUSTED_PROXIES: '127.0.0.1',
  RATE_LIMIT_WINDOW_SECONDS: '600',
  RATE_LIMIT_PER_KEY: '4',
  RATE_LIMIT_PER_TENANT: '6',
  RATE_LIMIT_PER_ADDRESS: '9',
  RATE_LIMIT_FAILURES_PER_ADDRESS: '3',
};

describe('rate limits in PostgreSQL', () => {
  rateLimits(null);

  it('are forgotten when their windows have ended', async () => {
    const database = await createSeededDatabase();
    const api = await startApi({ DATABASE_URL: database.url, ...LIMITS });
    await ask(api.url, LIST, { headers: { authorization: `Bearer ${await createKey(api.dataSource, [])}` } });
    const keys = async (): Promise<string[]> =>
      (await api.dataSource.query<{ key: string }[]>('SELECT key FROM rate_limit')).map(({ key }) => key);

    await expireRateLimits(api.dataSource);
    const before = await keys();
    await api.dataSource.query(`UPDATE rate_limit SET expires_at = now() WHERE key LIKE 'tenant:%'`);
    await expireRateLimits(api.dataSource);

    expect(before).toEqual(expect.arrayContaining(['tenant:default']));
    expect(await keys()).toEqual(before.filter((key) => !key.startsWith('tenant:')));
    await api.app.close();
    await database.drop();
  });
});
describeWithRedis('rate limits in Redis', ({ url }) => rateLimits(url));

function rateLimits(redisUrl: string | null): void {
  let database: TestDatabase;
  let proxy: BreakableProxy;
  let apis: RunningApi[];
  let nextTenant = 0;
  let nextAddress = 1;

  beforeAll(async () => {
    database = await createSeededDatabase();
    proxy = await startBreakableProxy(redisUrl ?? database.url);
    const env = redisUrl === null ? {} : { REDIS_URL: proxy.url };
    const start = (): Promise<RunningApi> => startApi({ DATABASE_URL: database.url, ...env, ...LIMITS });
    apis = await Promise.all([start(), start()]);
  });
  afterAll(async () => {
    await Promise.all(apis.map(({ app }) => app.close()));
    await proxy.close();
    await database.drop();
  });

  const aTenant = (): string => `tenant-${nextTenant++}`;
  const anAddress = (): string => `192.0.2.${nextAddress++}`;
  const keyOf = (tenantId: string): Promise<string> =>
    createKey((apis[0] as RunningApi).dataSource, ['agents:read'], tenantId);

  /** Sends `count` requests to both processes alternately. */
  async function askMany(
    count: number,
    headers: (index: number) => Record<string, string>,
  ): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (let index = 0; index < count; index += 1)
      answers.push(await ask(apis[index % 2]?.url ?? '', LIST, { headers: headers(index) }));
    return answers;
  }
  const bearer = (key: string, address = anAddress()): Record<string, string> => ({
    authorization: `Bearer ${key}`,
    'x-forwarded-for': address,
  });
  const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status);

  function expectRefused(answer: Answer | undefined, whose: string): void {
    const seconds = Number(answer?.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(500);
    expect(seconds).toBeLessThanOrEqual(600);
    expectProblem(answer as Answer, {
      status: 429,
      code: 'RATE_LIMITED',
      detail: `too many requests of your ${whose}; try again in ${seconds} s`,
    });
  }

  it('hold for one key at all processes together, and say where it stands', async () => {
    const [key, other] = [await keyOf(aTenant()), await keyOf(aTenant())];

    const answers = await askMany(5, () => bearer(key));

    expect(statuses(answers)).toEqual([200, 200, 200, 200, 429]);
    expectRefused(answers[4], 'API key');
    expect(answers[0]?.headers.get('ratelimit-policy')).toBe(
      '"address";q=9;w=600, "key";q=4;w=600, "tenant";q=6;w=600',
    );
    const standing = /^"address";r=8;t=\d+, "key";r=(\d);t=(\d+)(, "tenant";r=(\d);t=\d+)?$/;
    const seen = answers.map(({ headers }) => standing.exec(headers.get('ratelimit') ?? '') ?? []);
    expect(seen.map((match) => [match[1], match[4]])).toEqual([
      ['3', '5'],
      ['2', '4'],
      ['1', '3'],
      ['0', '2'],
      ['0', undefined],
    ]);
    expect(statuses(await askMany(1, () => bearer(other)))).toEqual([200]);
  });

  it('hold for one tenant over all its keys, and for no other', async () => {
    const tenant = aTenant();
    const keys = await Promise.all([keyOf(tenant), keyOf(tenant)]);

    const answers = await askMany(7, (index) => bearer(keys[index % 4 < 2 ? 0 : 1]));

    expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, 200, 429]);
    expectRefused(answers[6], 'tenant');
    const stranger = await keyOf(aTenant());
    expect(statuses(await askMany(1, () => bearer(stranger)))).toEqual([200]);
  });

  it('hold for one address over all its keys', async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, () => keyOf(aTenant())));
    const address = anAddress();

    const answers = await askMany(10, (index) => bearer(keys[index >> 1] ?? '', address));

    expect(statuses(answers)).toEqual([...Array.from({ length: 9 }, () => 200), 429]);
    expectRefused(answers[9], 'address');
  });

  it('are close for an address without a valid key, and let in who has one elsewhere', async () => {
    const address = anAddress();
    const [api] = apis as [RunningApi];
    const tries = [];
    for (let index = 0; index < 5; index += 1)
      tries.push(await ask(api.url, LIST, { headers: bearer('csk_guess', address) }));

    expect(statuses(tries)).toEqual([401, 401, 401, 429, 429]);
    expectRefused(tries[4], 'address without a valid API key');
    expect(statuses(await askMany(1, () => ({ 'x-forwarded-for': address })))).toEqual([429]);
    const key = await keyOf(aTenant());
    expect(statuses(await askMany(1, () => bearer(key)))).toEqual([200]);
  });

  it('do not count this machine by address, nor health checks, documents and what is nowhere', async () => {
    const [api] = apis as [RunningApi];
    const address = anAddress();
    const paths = ['/healthz', '/readyz'].flatMap((path) => Array.from({ length: 12 }, () => path));

    const open = await Promise.all(
      paths.map((path) => ask(api.url, path, { headers: { 'x-forwarded-for': address } })),
    );
    const local = await Promise.all(Array.from({ length: 20 }, () => ask(api.url, LIST)));

    expect(new Set(statuses(open))).toEqual(new Set([200]));
    expect(open[0]?.headers.has('ratelimit')).toBe(false);
    expect(new Set(statuses(local))).toEqual(new Set([401]));
  });

  it('are counted by each process alone while the store is away', async () => {
    const [api] = apis as [RunningApi];
    const restore = await takeStoreAway(api);
    const key = await keyOf(aTenant());

    const answers = [];
    for (let index = 0; index < 5; index += 1)
      answers.push(await ask(api.url, LIST, { headers: bearer(key) }));

    expect(statuses(answers)).toEqual([200, 200, 200, 200, 429]);
    expect(api.log.join('')).toContain('rate limits count only the requests of this process');
    await restore();
  });

  /** Makes the store of rate limits unavailable; returns a function that restores it. */
  async function takeStoreAway({ dataSource }: RunningApi): Promise<() => Promise<unknown>> {
    if (redisUrl === null) {
      await dataSource.query('ALTER TABLE rate_limit RENAME TO away');
      return () => dataSource.query('ALTER TABLE away RENAME TO rate_limit');
    }
    proxy.cut();
    return async () => {
      proxy.restore();
      await waitFor(() => fetch(`${apis[0]?.url}/readyz`).then(({ ok }) => ok), {
        description: 'Redis to be back',
      });
    };
  }
}

it('without keys there are no rate limits', async () => {
  const database = await createSeededDatabase();
  const { AUTH: _auth, ...limits } = LIMITS;
  const api = await startApi({ DATABASE_URL: database.url, ...limits });

  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(api.url, LIST)));

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  await api.app.close();
  await database.drop();
});
