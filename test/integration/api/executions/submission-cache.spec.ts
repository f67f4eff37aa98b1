import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SubmissionGroundsStore } from '#libs/persistence';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';

let database: TestDatabase;
let api: RunningApi;
let other: RunningApi;
let readGrounds: { readonly mock: { readonly calls: unknown[] }; mockClear(): unknown };

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url });
  other = await startApi({ DATABASE_URL: database.url });
  readGrounds = jest.spyOn(api.app.get(SubmissionGroundsStore), 'find');
});
beforeEach(async () => {
  expect(await submit()).toBe(202);
  readGrounds.mockClear();
});
afterAll(async () => {
  await api.app.close();
  await other.app.close();
  await database.drop();
});

async function submit(body: object = {}, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const response = await fetch(`${api.url}/api/agents/1/execute/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ input: 'hello', ...body }),
  });
  await response.text();
  return response.status;
}

async function patch(path: string, body: object): Promise<void> {
  const response = await fetch(`${other.url}${path}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect([path, response.status]).toEqual([path, 200]);
}

describe('cached data for checks of submissions', () => {
  it('is not read again while nothing has changed, on any way of acceptance', async () => {
    expect(await submit()).toBe(202);
    expect(await submit({}, { 'Idempotency-Key': 'k' })).toBe(202);
    expect(await submit({ options: { max_output_tokens: 100 } })).toBe(202);
    expect(readGrounds.mock.calls).toEqual([]);
  });

  it.each<[string, string, object, object, number]>([
    ['an agent that was made inactive', '/api/agents/1/', { is_active: false }, { is_active: true }, 404],
    [
      'a tenant that was made inactive',
      '/api/tenants/default/',
      { status: 'inactive' },
      { status: 'active' },
      400,
    ],
    ['a model that was made inactive', '/api/llms/1/', { is_active: false }, { is_active: true }, 400],
    [
      'a tenant whose limit was lowered',
      '/api/tenants/default/',
      { settings: { limits: { input_characters: 3 } } },
      { settings: {} },
      400,
    ],
  ])(
    'is what another process has made of it: %s, and back',
    async (_what, path, change, changeBack, status) => {
      await patch(path, change);
      for (const headers of [{}, { 'Idempotency-Key': `${path}${status}` }])
        expect(await submit({}, headers)).toBe(status);
      await patch(path, changeBack);
      expect(await submit({}, { 'Idempotency-Key': `${path}${status}` })).toBe(202);
      expect(await submit()).toBe(202);
    },
  );

  it('is what another process has made of it under an idempotency key, too', async () => {
    await patch('/api/agents/1/', { is_active: false });
    expect(await submit({}, { 'Idempotency-Key': 'inactive' })).toBe(404);
    const kept: unknown = await api.dataSource.query(`SELECT 1 FROM idempotency_key WHERE key = 'inactive'`);
    expect(kept).toEqual([]);
    await patch('/api/agents/1/', { is_active: true });
  });

  it('is read again for many at once, each accepted with the newest version', async () => {
    await patch('/api/agents/1/', { system_prompt: 'Be brief.' });
    const [{ version } = { version: 0 }] = await api.dataSource.query<{ version: number }[]>(
      'SELECT version FROM agent WHERE id = 1',
    );
    const before = new Date();
    expect(await Promise.all(Array.from({ length: 10 }, () => submit()))).toEqual(Array(10).fill(202));
    const versions: unknown = await api.dataSource.query(
      'SELECT DISTINCT agent_version FROM execution WHERE created_at >= $1',
      [before],
    );
    expect(versions).toEqual([{ agent_version: version }]);
  });
});
