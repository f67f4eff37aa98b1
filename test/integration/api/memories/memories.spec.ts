import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listMemoriesQuery, SCOPES } from '#libs/persistence';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { createKey } from '../api-keys.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer, type RequestOptions } from '../http-client.js';
import { emptyTables } from '../../../support/services/empty-tables.js';

const MEMORY = { executor_id: 'mara', text: 'Likes tea.' };

let database: TestDatabase;
let api: RunningApi;
let own: string;
let stranger: string;

beforeAll(async () => {
  database = await createSeededDatabase();
  const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
  api = await startApi({ DATABASE_URL: database.url, AUTH: 'api-key', ENCRYPTION_KEY });
  await api.dataSource.query(`INSERT INTO tenant (id, name) VALUES ('stranger', 's') ON CONFLICT DO NOTHING`);
  own = await createKey(api.dataSource, SCOPES, 'default');
  stranger = await createKey(api.dataSource, SCOPES, 'stranger');
});
beforeEach(() =>
  emptyTables(api.dataSource, 'memory', 'unwanted_memory', 'forgotten_executor', 'memory_extraction'),
);
afterAll(async () => {
  await api.app.close();
  await database.drop();
});

const send = (path: string, options: RequestOptions = {}, key = own): Promise<Answer> =>
  ask(api.url, path, { ...options, headers: { ...options.headers, authorization: `Bearer ${key}` } });
const make = (json: object = MEMORY, key = own): Promise<Answer> => send('/api/memories/', { json }, key);
const at = ({ body }: Answer): string => `/api/memories/${String(body.id)}/`;
const textsOf = async (query = '', key = own): Promise<unknown[]> => {
  const { body } = await send(`/api/memories/${query}`, {}, key);
  return (body.data as { text: string }[]).map(({ text }) => text);
};

describe('a memory', () => {
  it('is written, read, changed and deleted, as the version that If-Match names', async () => {
    const made = await make();
    expect(made).toMatchObject({
      status: 201,
      body: { ...MEMORY, origin: 'person', is_edited: false, agent_id: null, execution_id: null },
    });
    expect(made.headers.get('location')).toBe(at(made));
    expect((await send(at(made))).body).toEqual(made.body);

    const text = 'Likes coffee.';
    const changed = await send(at(made), { method: 'PATCH', json: { text: ' Likes\ncoffee. ' } });
    expect(changed).toMatchObject({ status: 200, body: { executor_id: 'mara', text } });
    expect([made, changed].map(({ headers }) => headers.get('etag'))).toEqual(['"1"', '"2"']);

    const old = { headers: { 'if-match': '"1"' } };
    expect((await send(at(made), { ...old, method: 'PATCH', json: { text: 'x' } })).status).toBe(412);
    expect((await send(at(made), { ...old, method: 'DELETE' })).status).toBe(412);
    expect(await textsOf()).toEqual([text]);
    const now = { method: 'DELETE', headers: { 'if-match': '"2"' } };
    expect((await send(at(made), now)).status).toBe(204);
    expectProblem(await send(at(made)), { status: 404, code: 'NOT_FOUND', detail: 'Memory not found' });
    expect((await send(at(made), { method: 'DELETE' })).status).toBe(404);
    expect((await send(at(made), { method: 'PATCH', json: { text } })).status).toBe(404);
  });

  it('is listed in pages, by executor and by agent', async () => {
    for (const text of ['a', 'b', 'c']) await make({ ...MEMORY, text });
    await make({ executor_id: 'otto', text: 'd' });
    await api.dataSource.query(`UPDATE memory SET agent_id = 1 WHERE text IN ('b', 'd')`);

    const first = await send('/api/memories/?limit=2');
    expect(first.body).toMatchObject({ has_more: true, data: [{ text: 'a' }, { text: 'b' }] });
    expect(await textsOf(`?cursor=${String(first.body.next_cursor)}`)).toEqual(['c', 'd']);
    expect(await textsOf('?executor_id=mara')).toEqual(['a', 'b', 'c']);
    expect(await textsOf('?agent_id=1')).toEqual(['b', 'd']);
    expect(await textsOf('?agent_id=1&executor_id=otto')).toEqual(['d']);
    expect(await textsOf('?executor_id=stranger')).toEqual([]);
  });

  it('is there once of an executor', async () => {
    const refusal = {
      ...{ status: 409, code: 'MEMORY_EXISTS', detail: 'the executor already has this memory' },
    };
    await make();
    expectProblem(await make({ ...MEMORY, text: 'likes  tea' }), refusal);
    const other = await make({ ...MEMORY, text: 'Likes coffee.' });
    expectProblem(await send(at(other), { method: 'PATCH', json: { text: 'Likes tea!' } }), refusal);
    expect((await make({ ...MEMORY, executor_id: 'otto' })).status).toBe(201);
  });

  it('is one of 200 at most', async () => {
    await api.dataSource.query(
      `INSERT INTO memory (tenant_id, executor_id, text, key_hash, origin)
       SELECT 'default', 'mara', n::text, int4send(n), 'person' FROM generate_series(1, 200) n`,
    );
    expectProblem(await make(), {
      ...{ status: 422, code: 'TOO_MANY_MEMORIES' },
      detail: 'the executor has 200 memories, the maximum; delete one first',
    });
  });

  it.each<[string, object, string]>([
    ['no executor', { text: 'x' }, '#/executor_id'],
    ['a nameless executor', { ...MEMORY, executor_id: '' }, '#/executor_id'],
    ['an executor of 201 characters', { ...MEMORY, executor_id: 'x'.repeat(201) }, '#/executor_id'],
    ['no text', { executor_id: 'mara' }, '#/text'],
    ['a text that says nothing', { ...MEMORY, text: ' … \n' }, '#/text'],
    ['501 characters', { ...MEMORY, text: 'x'.repeat(501) }, '#/text'],
    ['an origin of its own', { ...MEMORY, origin: 'extraction' }, '#/origin'],
  ])('with %s is refused', async (_name, json, pointer) => {
    const { status, body } = await make(json);
    expect([status, (body.errors as { pointer: string }[]).map((error) => error.pointer)]).toEqual([
      400,
      [pointer],
    ]);
  });

  it('in another tenant is not found, and does not count as a duplicate', async () => {
    const foreign = await make(MEMORY, stranger);
    expect(foreign.status).toBe(201);
    expect((await make()).status).toBe(201);
    expect((await send(at(foreign))).status).toBe(404);
    expect((await send(at(foreign), { method: 'PATCH', json: { text: 'mine' } })).status).toBe(404);
    expect((await send(at(foreign), { method: 'DELETE' })).status).toBe(404);
    expect((await send('/api/memories/?executor_id=mara', { method: 'DELETE' })).status).toBe(204);
    expect([await textsOf(), await textsOf('', stranger)]).toEqual([[], ['Likes tea.']]);
  });
});

describe('an executor', () => {
  it('is forgotten alone; a repetition changes nothing', async () => {
    await make();
    await make({ ...MEMORY, executor_id: 'otto' });
    for (const _time of [1, 2])
      expect((await send('/api/memories/?executor_id=mara', { method: 'DELETE' })).status).toBe(204);
    expect(await textsOf('?executor_id=mara')).toEqual([]);
    expect(await textsOf('?executor_id=otto')).toEqual(['Likes tea.']);
  });

  // `executor.user_id` of a request may contain control characters, and facts are learnt about that executor too.
  it('may have any name that a request allows, control characters included', async () => {
    const odd = 'u-17\n\t\u007f';
    const query = `?executor_id=${encodeURIComponent(odd)}`;
    expect(await make({ ...MEMORY, executor_id: odd })).toMatchObject({
      ...{ status: 201, body: { executor_id: odd } },
    });
    expect((await make({ ...MEMORY, executor_id: 'u-17' })).status).toBe(201);
    expect((await send(`/api/memories/${query}`)).body).toMatchObject({ data: [{ executor_id: odd }] });
    expect((await send(`/api/memories/${query}`, { method: 'DELETE' })).status).toBe(204);
    expect([await textsOf(query), await textsOf('?executor_id=u-17')]).toEqual([[], ['Likes tea.']]);
  });

  it('is not forgotten by who does not say who', async () => {
    await make();
    for (const query of ['', '?executor_id=', '?executor=mara', '?executor_id=a%00b'])
      expect((await send(`/api/memories/${query}`, { method: 'DELETE' })).status).toBe(400);
    expect(await textsOf()).toEqual(['Likes tea.']);
  });
});

describe('an agent', () => {
  const makeAgent = (config: object): Promise<Answer> =>
    send('/api/agents/', { json: { name: 'a', usecase_type: 'BASIC_CHAT', llm: 1, config } });
  const pointersOf = ({ body }: Answer): unknown[] =>
    ((body as { errors?: { pointer: string }[] }).errors ?? []).map(({ pointer }) => pointer);

  it('says whether and how much it remembers', async () => {
    const config = { memory: { enabled: true, max_facts: 200, max_tokens: 4_000, llm: 1 } };
    expect(await makeAgent(config)).toMatchObject({ status: 201, body: { config } });
    expect((await makeAgent({ memory: {} })).status).toBe(201);
  });

  it.each([
    ['memory', 'yes', '#/config/memory'],
    ['something unknown', { facts: 3 }, '#/config/memory/facts'],
    ['no flag', { enabled: 'yes' }, '#/config/memory/enabled'],
    ['201 facts', { max_facts: 201 }, '#/config/memory/max_facts'],
    ['no tokens', { max_tokens: 0 }, '#/config/memory/max_tokens'],
    ['a model configuration that is not there', { llm: 999 }, '#/config/memory/llm'],
    ['the name of a model', { llm: 'gpt-5' }, '#/config/memory/llm'],
  ])('is refused with %s', async (_name, memory, pointer) => {
    const answer = await makeAgent({ memory });
    expect([answer.status, pointersOf(answer)]).toEqual([400, [pointer]]);
    const change = await send('/api/agents/1/', { method: 'PATCH', json: { config: { memory } } });
    expect(pointersOf(change)).toEqual([pointer]);
  });

  it('alone decides over it, no request and no model configuration', async () => {
    const options = { memory: { enabled: true } };
    const submitted = await send('/api/agents/1/execute/', { json: { input: 'x', options } });
    expect([submitted.status, pointersOf(submitted)]).toEqual([400, ['#/options/memory']]);
    const llm = await send('/api/llms/', { json: { name: 'm', model: 'm', extra: options } });
    expect([llm.status, pointersOf(llm)]).toEqual([400, ['#/extra/memory']]);
  });
});

describe('the plan of a list', () => {
  it.each([
    ['without a filter', {}, 'memory_tenant_idx'],
    ['by executor', { executorId: 'u7' }, 'memory_executor_idx'],
    ['by an agent that has none', { agentId: 9 }, 'memory_agent_idx'],
  ])('%s reads what an index finds, among many', async (_name, filter, index) => {
    await api.dataSource.query(`
      INSERT INTO memory (tenant_id, executor_id, agent_id, text, key_hash, origin)
      SELECT CASE WHEN n % 100 < 4 THEN 'default' ELSE 'stranger' END, 'u' || n % 5000, 1 + n % 2, n::text, int4send(n),
             'extraction'
        FROM generate_series(1, 20000) n`);
    await api.dataSource.query('ANALYZE memory');
    const { select, parameters } = listMemoriesQuery(api.dataSource, 'default', { ...filter, limit: 20 });
    const rows = await api.dataSource.query<{ 'QUERY PLAN': string }[]>(
      `EXPLAIN ${select} ORDER BY id LIMIT 21`,
      [...parameters],
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain(index);
    expect(plan).not.toContain('Seq Scan');
  });
});
