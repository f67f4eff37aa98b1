import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { ask, type Answer } from '../http-client.js';

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
    [
      'a branch that leads back',
      [
        llm({}),
        { name: 'b', kind: 'branch', cases: [{ when: { value: '/input', exists: true }, then: 'a' }] },
      ],
      'steps/1/cases/0/then',
    ],
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

  it('is not written where a tool would be called again that takes effect', async () => {
    const retry = { max_attempts: 2 };
    const save = tool({ tool: 'save_order_draft', retry });
    expect(pointersOf(await create({ steps: [save] }))).toEqual([400, '#/config/steps/0/retry']);
    const each = {
      name: 'a',
      kind: 'map',
      over: '/additional_data/a',
      do: { kind: 'tool', tool: 'save_order_draft' },
    };
    expect(pointersOf(await create({ steps: [{ ...each, retry }] }))).toEqual([
      400,
      '#/config/steps/0/retry',
    ]);
    expect((await create({ steps: [tool({ retry }), { ...each, name: 'b' }] })).status).toBe(201);
  });

  it('calls agents that are there, and not itself', async () => {
    const call = (agent: unknown) => ({ name: 'a', kind: 'agent', agent, prompt: '{{/input}}' });
    const each = {
      name: 'b',
      kind: 'map',
      over: '/additional_data/a',
      do: { kind: 'agent', agent: 999, prompt: 'x' },
    };
    expect(pointersOf(await create({ steps: [call(998), each] }))).toEqual([
      400,
      '#/config/steps/0/agent',
      '#/config/steps/1/do/agent',
    ]);
    const { status, body } = await create({ steps: [call(1)] });
    expect(status).toBe(201);
    expect(pointersOf(await patch(body.id, { config: { steps: [call(body.id)] } }))).toEqual([
      400,
      '#/config/steps/0/agent',
    ]);
  });

  it('is not called from its own steps, over any path', async () => {
    const call = (agent: unknown) => ({ name: 'a', kind: 'agent', agent, prompt: '{{/input}}' });
    const each = (agent: unknown) => ({
      ...{ name: 'b', kind: 'map', over: '/additional_data/a' },
      do: { kind: 'agent', agent, prompt: 'x' },
    });
    const first = await create({ steps: ['analyze'] });
    const second = await create({ steps: ['analyze', call(first.body.id), each(1)] });
    const third = await create({ steps: [each(second.body.id)] });
    const circle = await patch(first.body.id, { config: { steps: [call(1), each(third.body.id)] } });
    expect(pointersOf(circle)).toEqual([400, '#/config/steps/1/do/agent']);
    expect(circle.body.errors).toMatchObject([{ detail: expect.stringContaining('lead back') }]);
    const short = await patch(first.body.id, { config: { steps: [call(second.body.id)] } });
    expect(pointersOf(short)).toEqual([400, '#/config/steps/0/agent']);
    // A third pipeline may call both. An agent that is no longer a pipeline no longer counts as a caller.
    const both = [call(first.body.id), { ...call(second.body.id), name: 'c' }];
    expect((await create({ steps: both })).status).toBe(201);
    expect((await patch(second.body.id, { usecase_type: 'BASIC_CHAT' })).status).toBe(200);
    expect((await patch(first.body.id, { config: { steps: [call(third.body.id)] } })).status).toBe(200);
  });

  it('is not written with a format or a rule that is none (S3-7)', async () => {
    const config = { steps: ['a'], output_format: 'xml', validation_rules: [{ require: 'x', message: 'y' }] };
    expect(pointersOf(await create(config))).toEqual([
      400,
      '#/config/output_format',
      '#/config/validation_rules/0/require',
    ]);
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
