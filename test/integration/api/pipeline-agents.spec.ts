import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';
import { startApi, type RunningApi } from './api-fixture.js';
import { ask, type Answer } from './http-client.js';

let database: TestDatabase;
let api: RunningApi;

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url });
});
afterAll(async () => {
  await api.app.close();
  await database.drop();
});

const TOOLS = { builtin: ['search_items', 'save_order_draft'] };
const create = (config: object, tools: object = TOOLS): Promise<Answer> =>
  ask(api.url, '/api/agents/', { json: { name: 'Steps', usecase_type: 'CUSTOM', llm: 1, config, tools } });
const patch = (id: unknown, json: object): Promise<Answer> =>
  ask(api.url, `/api/agents/${String(id)}/`, { method: 'PATCH', json });
const execute = (id: unknown, options: object): Promise<Answer> =>
  ask(api.url, `/api/agents/${String(id)}/execute/`, { json: { input: 'two roma', options } });
const pointersOf = ({ status, body }: Answer): unknown[] => [
  status,
  ...(body.errors as { pointer: string }[]).map(({ pointer }) => pointer),
];

const llm = (more: object) => ({ name: 'a', kind: 'llm', prompt: '{{/input}}', ...more });
const tool = (more: object) => ({ name: 'a', kind: 'tool', tool: 'search_items', ...more });

describe('an agent of several steps', () => {
  it('is written as it is given, and executed (S3-7, S3-18, S3-35)', async () => {
    const config = {
      steps: ['analyze', tool({ name: 'find' }), llm({ name: 'draft', tools: ['search_items'] })],
      temperature: 0.1,
    };
    const { status, body } = await create(config);
    expect([status, body.usecase_type, body.config]).toEqual([201, 'CUSTOM', config]);
    expect((await execute(body.id, { temperature: 0.2 })).status).toBe(202);
  });

  it.each<[string, unknown, string]>([
    ['no steps', undefined, 'steps'],
    ['a kind that there is not', [llm({ kind: 'python' })], 'steps/0/kind'],
    ['a kind that is not built', [llm({ kind: 'map' })], 'steps/0/kind'],
    ['a step after itself', [llm({ prompt: '{{/steps/a}}' })], 'steps/0/prompt'],
    ['a step that there is not', [llm({ when: { value: '/steps/b/x', exists: true } })], 'steps/0/when'],
    [
      'a tool that the agent has not',
      [llm({ tools: ['search_items', 'get_order_request'] })],
      'steps/0/tools/1',
    ],
    ['a tool that there is not', [tool({ tool: 'rm' })], 'steps/0/tool'],
    ['a schema of no object', [llm({ output_schema: { type: 'string' } })], 'steps/0/output_schema'],
    [
      'a schema that is none',
      [llm({ output_schema: { type: 'object', required: 7 } })],
      'steps/0/output_schema',
    ],
    [
      'a schema that leads outside',
      [llm({ output_schema: { type: 'object', properties: { a: { $ref: 'http://10.0.0.1/' } } } })],
      'steps/0/output_schema',
    ],
  ])('is not written with %s', async (_what, steps, place) => {
    expect(pointersOf(await create({ steps }))).toEqual([400, `#/config/${place}`]);
  });

  it('is not written where an unsafe tool would be repeated', async () => {
    const catalogue = await create({
      steps: [tool({ tool: 'save_order_draft', retry: { max_attempts: 2 } })],
    });
    // Saving a draft may be repeated under its key.
    expect(catalogue.status).toBe(201);
  });

  it('is not written with what nothing would follow from', async () => {
    const answer = await create({ steps: ['a'], output_format: 'json' });
    expect(answer.body).toMatchObject({
      errors: [{ pointer: '#/config/output_format', detail: 'is not supported yet' }],
    });
  });

  it('names every fault', async () => {
    expect(pointersOf(await create({ steps: [llm({ prompt: '' }), tool({ args: {} })] }))).toEqual([
      400,
      '#/config/steps/0/prompt',
      '#/config/steps/1/args',
    ]);
  });

  it('keeps tools that its steps need', async () => {
    const { body } = await create({ steps: [tool({})] });
    expect(pointersOf(await patch(body.id, { tools: {} }))).toEqual([400, '#/config/steps/0/tool']);
    expect((await patch(body.id, { config: { steps: [tool({})], temperature: 0 } })).status).toBe(200);
    expect((await patch(body.id, { system_prompt: 'Be brief.' })).status).toBe(200);
    expect((await patch(body.id, { usecase_type: 'BASIC_CHAT', tools: {} })).status).toBe(200);
    expect(pointersOf(await patch(body.id, { usecase_type: 'CUSTOM' }))).toEqual([
      400,
      '#/config/steps/0/tool',
    ]);
  });

  it('is the same for every request (S3-26)', async () => {
    const { body } = await create({ steps: ['a'] });
    expect(pointersOf(await execute(body.id, { steps: ['b'], output_format: 'json' }))).toEqual([
      400,
      '#/options/steps',
      '#/options/output_format',
    ]);
  });

  it('warns of keys that look like those of a pipeline', async () => {
    const { body } = await create({ steps: ['a'], step: 1 });
    expect(body.warnings).toMatchObject([{ pointer: '#/config/step' }]);
  });
});
