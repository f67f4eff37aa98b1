import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertDatasource } from '../../../support/services/insert-datasource.js';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer } from '../http-client.js';

let database: TestDatabase;
let api: RunningApi;
let [mine, other]: readonly [number, number] = [0, 0];

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url });
  await api.dataSource.query(`INSERT INTO tenant (id, name) VALUES ('acme', 'Acme')`);
  mine = await insertDatasource(api.dataSource);
  other = await insertDatasource(api.dataSource, { tenantId: 'acme' });
});

afterAll(async () => {
  await api.app.close();
  await database.drop();
});

const create = (config: object, tools: object = {}, usecase_type = 'RAG_CHAT'): Promise<Answer> =>
  ask(api.url, '/api/agents/', { json: { name: 'Librarian', usecase_type, llm: 1, config, tools } });
const patch = (id: unknown, json: object): Promise<Answer> =>
  ask(api.url, `/api/agents/${String(id)}/`, { method: 'PATCH', json });
const execute = (id: unknown, options: object): Promise<Answer> =>
  ask(api.url, `/api/agents/${String(id)}/execute/`, { json: { input: 'When?', options } });

const invalid = (detail: string, ...places: string[]) => ({
  ...{ status: 422, code: 'RETRIEVAL_INVALID', detail },
  places: places.map((place) => `pointer #/${place}`),
});

describe('an agent that answers from documents', () => {
  it('is written with its datasources, and executed (S3-34, 3.H-13)', async () => {
    const config = { datasource_ids: [mine], top_k: 3, context_template: '{{chunks}}\n{{question}}' };
    const { status, body } = await create(config);
    expect([status, body.usecase_type, body.config]).toEqual([201, 'RAG_CHAT', config]);
    expect((await execute(body.id, { top_k: 4, temperature: 0.1 })).status).toBe(202);
  });

  it('is not written without them (3.H-13)', async () => {
    expectProblem(await create({}), invalid('datasource_ids required', 'config/datasource_ids'));
  });

  it.each<[string, object, string, string]>([
    ['a top_k of 0', { top_k: 0 }, 'retrieval param invalid: top_k', 'config/top_k'],
    ['a top_k of 101', { top_k: 101 }, 'retrieval param invalid: top_k', 'config/top_k'],
    [
      'a template without its places',
      { context_template: 'x' },
      'context_template placeholders missing',
      'config/context_template',
    ],
    [
      'an unknown mode',
      { retrieval_mode: 'ALL' },
      'retrieval param invalid: retrieval_mode',
      'config/retrieval_mode',
    ],
  ])('is not written with %s (3.H-13)', async (_what, config, detail, place) => {
    expectProblem(await create({ datasource_ids: [mine], ...config }), invalid(detail, place));
  });

  it('is not written with a datasource of another tenant, or that there is not', async () => {
    const theirs = await create({ datasource_ids: [mine, other] });
    expectProblem(theirs, invalid(`there is no datasource ${other}`, 'config/datasource_ids'));
    const gone = await create({ datasource_ids: [2_147_483_647] });
    expectProblem(gone, invalid('there is no datasource 2147483647', 'config/datasource_ids'));
  });

  it('is not made one, or changed, by what would be refused when it is written', async () => {
    const { body } = await create({}, {}, 'BASIC_CHAT');
    const refused = invalid('datasource_ids required', 'config/datasource_ids');
    expectProblem(await patch(body.id, { usecase_type: 'RAG_CHAT' }), refused);
    const config = { datasource_ids: [mine] };
    expect((await patch(body.id, { usecase_type: 'RAG_CHAT', config })).status).toBe(200);
    expectProblem(await patch(body.id, { config: {} }), refused);
  });

  it('is changed otherwise although its datasource is gone since', async () => {
    const gone = await insertDatasource(api.dataSource, { name: 'old' });
    const { body } = await create({ datasource_ids: [gone] });
    await api.dataSource.query(`DELETE FROM datasource WHERE id = $1`, [gone]);
    expect((await patch(body.id, { tools: {}, system_prompt: 'Be brief.' })).status).toBe(200);
    const refused = invalid(`there is no datasource ${gone}`, 'config/datasource_ids');
    expectProblem(await patch(body.id, { config: { datasource_ids: [gone] } }), refused);
  });

  it('refuses options of a request by the same rules, over what the agent says (S3-26, 3.H-13)', async () => {
    const { body } = await create({ datasource_ids: [mine] });
    const places = ['options/top_k'];
    expectProblem(await execute(body.id, { top_k: 0 }), invalid('retrieval param invalid: top_k', ...places));
    expectProblem(
      await execute(body.id, { datasource_ids: [] }),
      invalid('datasource_ids required', 'options/datasource_ids'),
    );
  });

  it('warns of keys that look like those of its retrieval', async () => {
    const { body } = await create({ datasource_ids: [mine], topk: 3 });
    expect(body.warnings).toMatchObject([{ pointer: '#/config/topk' }]);
  });
});

describe('an agent that searches documents itself', () => {
  const search = (setup: object): object => ({ search_knowledge: setup });

  it('is written with the datasources of its tool, whose calls may wait for a person', async () => {
    const tools = search({ datasource_ids: [mine], top_k: 3 });
    const config = { require_approval: ['search_knowledge'] };
    expect(await create(config, tools, 'BASIC_CHAT')).toMatchObject({ status: 201, body: { tools } });
  });

  it.each<[string, () => object, string, string]>([
    ['no datasources', () => ({}), 'datasource_ids required', 'tools/search_knowledge/datasource_ids'],
    [
      'a key that means nothing',
      () => ({ datasource_ids: [mine], topk: 3 }),
      'retrieval param invalid: topk',
      'tools/search_knowledge/topk',
    ],
    [
      'a datasource of another tenant',
      () => ({ datasource_ids: [other] }),
      'there is no datasource 2',
      'tools/search_knowledge/datasource_ids',
    ],
  ])('is not written with %s', async (_what, setup, detail, place) => {
    expectProblem(await create({}, search(setup()), 'BASIC_CHAT'), invalid(detail, place));
  });

  it('has a model with a parameter of its own that is called top_k', async () => {
    expect((await create({ top_k: 40 }, {}, 'BASIC_CHAT')).status).toBe(201);
  });
});

it('no request may say where an answer comes from', async () => {
  const json = { input: 'When?', additional_data: { citations: [] } };
  const answer = await ask(api.url, '/api/agents/1/execute/', { json });
  expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
});
