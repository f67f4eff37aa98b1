import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { UsagePageDto, type UsageSumView } from '../../../../apps/api/src/usage/usage.dto.js';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { createKey } from '../api-keys.js';
import { expectProblem } from '../expect-problem.js';
import { ask } from '../http-client.js';
import { storeUsage, type UsageRow } from './store-usage.js';

let database: TestDatabase;
let api: RunningApi;
let reader: string;
let admin: string;
let root: string;

const as = (key: string) => ({ authorization: `Bearer ${key}` });

const store = (executionId: string, row: UsageRow) => storeUsage(api.dataSource, executionId, row);

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url, AUTH: 'api-key' });
  reader = await createKey(api.dataSource, ['executions:read', 'executions:write']);
  admin = await createKey(api.dataSource, ['executions:read', 'admin']);
  const submitted = await ask(api.url, '/api/agents/1/execute/', {
    json: { input: 'x' },
    headers: as(reader),
  });
  root = z.object({ id: z.uuid() }).parse(submitted.body).id;
  // 0.1 and 0.2 have no exact sum in binary.
  await store(root, { model: 'a', cost: '0.100000000000000001' });
  await store(root, { model: 'a', cost: '0.2', at: '2026-03-02T00:00:00Z' });
  await store(root, { model: 'a', state: 'unknown', tokens: null });
  await store(root, { model: 'b', scope: '2.1', agent: 7, tokens: 5 });
  await store(root, { model: 'b', scope: '2.1', agent: 7, state: 'failed', tokens: null });
  await store(root, { model: 'c', state: 'failed', tokens: null, at: '2026-03-01T12:59:59Z' });
  await store(root, { model: 'd', scope: '3.1', agent: 7, state: 'unknown', tokens: null });
  await store(root, { model: 'd', scope: '3.1', agent: 7, state: 'unknown', tokens: null });
  await store(root, { tenant: 'other', model: 'theirs', tokens: 1_000_000, cost: '5' });
});

afterAll(async () => {
  await api.app.close();
  await database.drop();
});

const RANGE = 'from=2026-03-01&to=2026-03-03';

async function sums(query: string, key = reader) {
  const answer = await ask(api.url, `/api/usage/?${RANGE}&${query}`, { headers: as(key) });
  expect(answer.status).toBe(200);
  return UsagePageDto.create(answer.body);
}

describe('GET /api/usage/', () => {
  it('sums by model: exactly, and says what it does not know', async () => {
    const { data, ...page } = await sums('group_by=model');
    expect(page).toEqual({
      group_by: 'model',
      from: '2026-03-01T00:00:00.000Z',
      to: '2026-03-03T00:00:00.000Z',
      has_more: false,
      next_cursor: null,
    });
    const none = { agent_id: null, day: null, hour: null, tenant_id: null, scope: null };
    expect(data).toEqual([
      {
        ...none,
        executor_id: null,
        metadata_value: null,
        model: 'a',
        ...{ calls: 3, failed_calls: 0, unknown_calls: 1, unpriced_calls: 0 },
        ...{
          input_tokens: 18,
          cache_read_tokens: 4,
          output_tokens: 2,
          reasoning_tokens: 0,
          total_tokens: 20,
        },
        ...{ cache_creation_5m_tokens: 4, cache_creation_1h_tokens: 4 },
        total_cost_usd: '0.300000000000000001',
      },
      // The cost of calls without a price is unknown, not 0.
      expect.objectContaining({
        ...{ model: 'b', calls: 2, failed_calls: 1, unpriced_calls: 1, total_tokens: 5 },
        total_cost_usd: null,
      }),
      // Failed calls without token counts cost nothing.
      expect.objectContaining({
        model: 'c',
        calls: 1,
        failed_calls: 1,
        total_tokens: 0,
        total_cost_usd: '0',
      }),
      expect.objectContaining({ model: 'd' }),
    ]);
  });

  it('knows no sum of calls that are all unknown, and counts them', async () => {
    const { data } = await sums('group_by=scope');
    const unknown = {
      ...{ input_tokens: null, cache_read_tokens: null, cache_creation_5m_tokens: null },
      ...{ cache_creation_1h_tokens: null, output_tokens: null, reasoning_tokens: null },
      ...{ total_tokens: null, total_cost_usd: null },
    };
    expect(data.find(({ scope }) => scope === '3.1')).toMatchObject({
      ...{ calls: 2, failed_calls: 0, unknown_calls: 2, unpriced_calls: 0, ...unknown },
    });
  });

  it('keeps main and sub-agents apart (S4-33), by scope and by agent', async () => {
    const scopes = await sums('group_by=scope');
    expect(scopes.data.map(({ scope, calls: made }) => [scope, made])).toEqual([
      ['', 4],
      ['2.1', 2],
      ['3.1', 2],
    ]);
    const agents = await sums('group_by=agent');
    expect(agents.data.map(({ agent_id, calls: made }) => [agent_id, made])).toEqual([
      [1, 4],
      [7, 4],
    ]);
    const one = await sums(`group_by=scope&agent_id=7&execution_id=${root}`);
    expect(one.data.map(({ scope }) => scope)).toEqual(['2.1', '3.1']);
    expect((await sums(`group_by=scope&execution_id=${randomUUID()}`)).data).toEqual([]);
  });

  it('sums by day in UTC, from its beginning and up to its end', async () => {
    const days = async (range: string) => {
      const { body } = await ask(api.url, `/api/usage/?group_by=day&${range}`, { headers: as(reader) });
      return UsagePageDto.create(body).data.map(({ day, calls: made }) => [day, made]);
    };
    expect(await days(RANGE)).toEqual([
      ['2026-03-01', 7],
      ['2026-03-02', 1],
    ]);
    expect(await days('from=2026-03-01&to=2026-03-02')).toEqual([['2026-03-01', 7]]);
    expect(await days('from=2026-03-02T09:00:00%2B09:00&to=2026-03-03')).toEqual([['2026-03-02', 1]]);
    expect(await days('')).toEqual([]);
  });

  it('sums by hour, and splits days and hours', async () => {
    const hours = await sums('group_by=hour');
    expect(hours.data.map(({ day, hour, calls: made }) => [day, hour, made])).toEqual([
      [null, '2026-03-01T12:00:00Z', 7],
      [null, '2026-03-02T00:00:00Z', 1],
    ]);
    const split = await sums('group_by=day,agent');
    expect(split.data.map(({ day, agent_id, calls: made }) => [day, agent_id, made])).toEqual([
      ['2026-03-01', 1, 3],
      ['2026-03-01', 7, 4],
      ['2026-03-02', 1, 1],
    ]);
    const [first] = (await sums('group_by=hour,model')).data;
    expect(first).toMatchObject({ hour: '2026-03-01T12:00:00Z', model: 'a', calls: 2, agent_id: null });
  });

  it('comes page by page, in the order of the key', async () => {
    for (const [group, keys] of [
      ['model', ['a', 'b', 'c', 'd']],
      ['scope', ['', '2.1', '3.1']],
      ['agent', [1, 7]],
      ['day,model', ['2026-03-01 a', '2026-03-01 b', '2026-03-01 c', '2026-03-01 d', '2026-03-02 a']],
    ] as const) {
      const found: unknown[] = [];
      for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
        const page = await sums(`group_by=${group}&limit=1${cursor === null ? '' : `&cursor=${cursor}`}`);
        const keyOf: Record<typeof group, (sum: UsageSumView) => unknown> = {
          model: ({ model }) => model,
          scope: ({ scope }) => scope,
          agent: ({ agent_id }) => agent_id,
          'day,model': ({ day, model }) => `${day} ${model}`,
        };
        found.push(...page.data.map(keyOf[group]));
        cursor = page.next_cursor;
      }
      expect(found).toEqual(keys);
    }
  });

  it('shows a tenant nothing of another one, and all of them only to administrators', async () => {
    for (const group of ['tenant', 'day,tenant', 'hour,tenant']) {
      const denied = await ask(api.url, `/api/usage/?${RANGE}&group_by=${group}`, { headers: as(reader) });
      expectProblem(denied, {
        status: 403,
        code: 'INSUFFICIENT_SCOPE',
        detail: 'the API key lacks the scope "admin"',
      });
    }
    const { data } = await sums('group_by=tenant', admin);
    expect(data.map(({ tenant_id, total_cost_usd }) => [tenant_id, total_cost_usd])).toEqual([
      ['default', '0.300000000000000001'],
      ['other', '5'],
    ]);
    // Except by tenant, an administrator's sums cover the own tenant only.
    expect((await sums('group_by=model', admin)).data.map(({ model }) => model)).toEqual([
      'a',
      'b',
      'c',
      'd',
    ]);
  });

  it('sums for an executor what its executions have cost, in the own tenant only', async () => {
    const submit = async (userId: string): Promise<string> => {
      const json = { input: 'x', executor: { user_id: userId } };
      const { body } = await ask(api.url, '/api/agents/1/execute/', { json, headers: as(reader) });
      return z.object({ id: z.uuid() }).parse(body).id;
    };
    const [mara, marasOther, leo] = [await submit('mara'), await submit('mara'), await submit('leo')];
    const theirs = randomUUID();
    await api.dataSource.query(
      `WITH session AS (
         INSERT INTO chat_session (id, tenant_id, agent_id, next_turn) SELECT gen_random_uuid(), 'other', 1, 2 RETURNING id)
       INSERT INTO execution (id, tenant_id, agent_id, session_id, turn_number, request)
       SELECT $1, 'other', 1, session.id, 1, execution.request FROM session, execution WHERE execution.id = $2`,
      [theirs, mara],
    );
    const at = '2026-05-01T12:00:00Z';
    await store(mara, { at, tokens: 10, cost: '0.5' });
    await store(marasOther, { at, tokens: 20, cost: '0.25', scope: '2.1', agent: 7 });
    await store(leo, { at, tokens: 400, cost: '4' });
    await store(theirs, { at, tokens: 8_000, cost: '8', tenant: 'other' });
    const read = async (query: string, key = reader) => {
      const path = `/api/usage/?from=2026-05-01&to=2026-05-02&${query}`;
      const { body } = await ask(api.url, path, { headers: as(key) });
      return UsagePageDto.create(body).data.map((sum) => [sum.calls, sum.total_tokens, sum.total_cost_usd]);
    };
    expect(await read('group_by=model&executor_id=mara')).toEqual([[2, 30, '0.75']]);
    expect(await read('group_by=agent&executor_id=mara')).toEqual([
      [1, 10, '0.5'],
      [1, 20, '0.25'],
    ]);
    expect(await read('group_by=model&executor_id=leo')).toEqual([[1, 400, '4']]);
    expect(await read('group_by=model&executor_id=stranger')).toEqual([]);
    expect(await read(`group_by=model&executor_id=mara&execution_id=${leo}`)).toEqual([]);
    expect(await read('group_by=model')).toEqual([[3, 430, '4.75']]);
    // The call of the other tenant is in no sum of this one.
    expect(await read('group_by=day,executor')).toEqual([
      [1, 400, '4'],
      [2, 30, '0.75'],
    ]);
    expect((await sums('group_by=executor')).data).toEqual([]);
    expect(await read('group_by=tenant&executor_id=mara', admin)).toEqual([
      [2, 30, '0.75'],
      [1, 8_000, '8'],
    ]);
  });

  it.each<[query: string, parameter: string, words: string]>([
    ['group_by=metadata.', 'group_by', 'or metadata.KEY'],
    [`group_by=metadata.${'x'.repeat(65)}`, 'group_by', 'with a key of 1 to 64 characters'],
    ['group_by=metadata.a%00', 'group_by', 'or metadata.KEY'],
    ['group_by=week,metadata.a', 'group_by', 'or metadata.KEY'],
    ['group_by=model&metadata[a]=%00', 'metadata', 'must be text without NUL'],
    ['', 'group_by', 'must be one of model, agent, tenant, scope, executor, day, hour, day,model'],
    [
      'group_by=week',
      'group_by',
      'must be one of model, agent, tenant, scope, executor, day, hour, day,model',
    ],
    ['group_by=model,day', 'group_by', 'must be one of model, agent'],
    ['group_by=day&from=2026-03-03&to=2026-03-01', 'from', 'must be before `to`'],
    ['group_by=day&from=2024-01-01&to=2026-03-01', 'from', 'must be at most 366 days before `to`'],
    ['group_by=day&to=tomorrow', 'to', 'must be a day'],
    ['group_by=day&from=2026-02-30', 'from', 'must be a day'],
    ['group_by=day&to=0001-01-01', 'to', 'must be a day'],
    ['group_by=day&agent_id=0', 'agent_id', 'must be a whole number'],
    ['group_by=day&execution_id=7', 'execution_id', 'must be a UUID'],
    ['group_by=day&limit=101', 'limit', 'must be a whole number'],
    [
      `group_by=agent&cursor=${Buffer.from('gpt').toString('base64url')}`,
      'cursor',
      'must be the next_cursor',
    ],
    [
      `group_by=model&cursor=${Buffer.from('a\0').toString('base64url')}`,
      'cursor',
      'must be the next_cursor',
    ],
    ['group_by=day&group=model', 'group', 'is not a known parameter'],
  ])('refuses ?%s and names %s', async (query, parameter, words) => {
    const answer = await ask(api.url, `/api/usage/?${query}`, { headers: as(reader) });
    expect(answer.status).toBe(400);
    const { errors } = z
      .object({ errors: z.array(z.object({ parameter: z.string(), detail: z.string() })) })
      .parse(answer.body);
    expect(errors).toEqual([{ parameter, detail: expect.stringContaining(words) as unknown }]);
  });
});
