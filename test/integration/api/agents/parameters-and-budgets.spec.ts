import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { ask, type Answer } from '../http-client.js';

const AGENTS = '/api/agents/';
const LLMS = '/api/llms/';
const LEAST = { name: 'Basic', usecase_type: 'BASIC_CHAT' };
const SCHEMA = { schema: { type: 'object' } };
const PRICING = { currency: 'USD', input: '1', cached_input: '1', output: '2', as_of: '2026-01-01' };

let database: TestDatabase;
let api: RunningApi;
/** Id of a configuration of a model with a listed price. */
let listed: number;
/** Id of a configuration of a model without a listed price. */
let unpriced: number;

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url });
  listed = await makeLlm({ model: 'gpt-5' });
  unpriced = await makeLlm({ model: 'nobody-knows' });
});

afterAll(async () => {
  await api.app.close();
  await database.drop();
});

const send = (path: string, json: object, method = 'POST'): Promise<Answer> =>
  ask(api.url, path, { method, json });
async function makeLlm(fields: object): Promise<number> {
  return Number((await send(LLMS, { name: 'mine', ...fields })).body.id);
}
const makeAgent = (fields: object): Promise<Answer> => send(AGENTS, { ...LEAST, llm: listed, ...fields });
const pointersOf = ({ body }: Answer): unknown[] =>
  ((body as { errors?: { pointer: string }[] }).errors ?? []).map(({ pointer }) => pointer);

/** Invalid model parameters, with the pointer to the fault. */
const UNREADABLE: [string, object, string][] = [
  ['a temperature of 3', { temperature: 3 }, 'temperature'],
  ['a verbosity that is none', { verbosity: 'loud' }, 'verbosity'],
  ['an effort that is none', { reasoning_effort: 'huge' }, 'reasoning_effort'],
  ['no tokens at all', { max_output_tokens: 0 }, 'max_output_tokens'],
  ['no tokens at all, under their other name', { max_tokens: 0 }, 'max_tokens'],
  ['a stop that is no text', { stop: 5 }, 'stop'],
  ['a flag that is none (S1-42)', { enable_stream: 'yes' }, 'enable_stream'],
  ['another flag that is none (S1-42)', { parallel_tool_calls: 2 }, 'parallel_tool_calls'],
  ['a deadline beyond the maximum', { timeout_seconds: 3_601 }, 'timeout_seconds'],
  ['more rounds than the maximum', { maximum_iterations: 31 }, 'maximum_iterations'],
  ['a format without its schema', { response_format: 'json_schema' }, 'json_schema'],
  [
    'a strictness that is none (S1-42)',
    { response_format: 'json_schema', json_schema: { ...SCHEMA, strict: 'maybe' } },
    'json_schema/strict',
  ],
  ['a budget that is none', { budget: { cost: 'much' } }, 'budget/cost'],
  ['a budget of something else', { budget: { hours: 1 } }, 'budget/hours'],
  [
    'approvals of a tool that is none',
    { require_approval: ['search_items', 'nonsense'] },
    'require_approval/1',
  ],
];

/** Valid parameters: the forms of S1-42, and numbers at their limits. */
const READABLE = {
  enable_stream: '1',
  parallel_tool_calls: 0,
  temperature: 2,
  max_tokens: '100',
  timeout_seconds: 3_600,
  maximum_iterations: 30,
  response_format: 'json_schema',
  json_schema: { ...SCHEMA, strict: ' FALSE ' },
  budget: { cost: '0.5' },
  require_approval: ['search_items'],
};

describe('parameters of a model', () => {
  it.each(UNREADABLE)('are refused when an agent is written: %s', async (_case, config, place) => {
    const answer = await makeAgent({ config });
    expect(answer.status).toBe(400);
    expect(pointersOf(answer)).toEqual([`#/config/${place}`]);
  });

  it.each(UNREADABLE)(
    'are refused when a model configuration is written: %s',
    async (_case, extra, place) => {
      const answer = await send(LLMS, { name: 'x', model: 'gpt-5', extra });
      expect(answer.status).toBe(400);
      expect(pointersOf(answer)).toEqual([`#/extra/${place}`]);
      const changed = await send(`${LLMS}${listed}/`, { extra }, 'PATCH');
      expect(pointersOf(changed)).toEqual([`#/extra/${place}`]);
    },
  );

  it.each(UNREADABLE)('are refused with an execution: %s', async (_case, options, place) => {
    const { body: agent } = await makeAgent({});
    const answer = await send(`${AGENTS}${String(agent.id)}/execute/`, { input: 'hi', options });
    expect(answer.status).toBe(400);
    expect(pointersOf(answer)).toEqual([`#/options/${place}`]);
  });

  it('are taken where they can be read', async () => {
    expect((await send(LLMS, { name: 'x', model: 'gpt-5', extra: READABLE })).status).toBe(201);
    const { status, body } = await makeAgent({ config: READABLE });
    expect(status).toBe(201);
    expect(body).toMatchObject({ config: READABLE });
    expect(body).not.toHaveProperty('warnings');
    const execute = `${AGENTS}${String(body.id)}/execute/`;
    expect((await send(execute, { input: 'hi', options: READABLE })).status).toBe(202);
  });

  it('may stand in different layers: who asks for a format, and who says which', async () => {
    const llm = await makeLlm({ model: 'gpt-5', extra: { json_schema: SCHEMA } });
    const { status, body } = await makeAgent({ llm, config: { response_format: 'json_schema' } });
    expect(status).toBe(201);
    const execute = `${AGENTS}${String(body.id)}/execute/`;
    const bad = await send(execute, { input: 'hi', options: { json_schema: { schema: 'none' } } });
    expect(pointersOf(bad)).toEqual(['#/options/json_schema']);
  });
});

describe('a budget of money', () => {
  const budget = { cost: '1.00' };

  it('is refused for an unknown price', async () => {
    const answer = await makeAgent({ llm: unpriced, config: { budget } });
    expect(answer.status).toBe(400);
    expect(pointersOf(answer)).toEqual(['#/config/budget/cost']);
    const { body: agent } = await makeAgent({ llm: unpriced });
    const path = `${AGENTS}${String(agent.id)}/`;
    expect(pointersOf(await send(path, { config: { budget } }, 'PATCH'))).toEqual(['#/config/budget/cost']);
    const execution = await send(`${path}execute/`, { input: 'hi', options: { budget } });
    expect(pointersOf(execution)).toEqual(['#/options/budget/cost']);
    const llm = await send(LLMS, { name: 'x', model: 'nobody-knows', extra: { budget } });
    expect(pointersOf(llm)).toEqual(['#/extra/budget/cost']);
  });

  it('is refused in plain words where it is no object', async () => {
    const answer = await makeAgent({ config: { budget: 5 } });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      errors: [{ pointer: '#/config/budget', detail: 'must be a JSON object' }],
    });
  });

  it('is taken where the configuration brings its own prices', async () => {
    const llm = await makeLlm({ model: 'nobody-knows', pricing: PRICING });
    const { status, body } = await makeAgent({ llm, config: { budget } });
    expect(status).toBe(201);
    const moved = await send(`${AGENTS}${String(body.id)}/`, { llm: unpriced }, 'PATCH');
    expect(pointersOf(moved)).toEqual(['#/config/budget/cost']);
  });
});

describe('names of tools', () => {
  it.each<[string, object, string[]]>([
    [
      'outside the catalogue',
      { builtin: ['search_items', 'nonsense', 5] },
      ['#/tools/builtin/1', '#/tools/builtin/2'],
    ],
    ['not given as a list', { builtin: 'search_items' }, ['#/tools/builtin']],
  ])('%s are refused when an agent is written', async (_case, tools, pointers) => {
    const answer = await makeAgent({ tools });
    expect(answer.status).toBe(400);
    expect(pointersOf(answer)).toEqual(pointers);
  });

  it('unknown since do not block a change of another field', async () => {
    const { body } = await makeAgent({ tools: { builtin: ['search_items'] } });
    await api.app
      .get(DataSource)
      .query(
        `UPDATE agent SET tools = '{"builtin": ["gone"]}', config = '{"require_approval": ["gone"]}' WHERE id = $1`,
        [body.id],
      );
    const path = `${AGENTS}${String(body.id)}/`;
    expect((await send(path, { name: 'renamed', llm: unpriced }, 'PATCH')).status).toBe(200);
    expect(pointersOf(await send(path, { tools: { builtin: ['gone'] } }, 'PATCH'))).toEqual([
      '#/tools/builtin/0',
    ]);
  });
});

describe('keys that only look known', () => {
  const config = { temprature: 0.5, colour: 'red', maximum_iteration: 3 };
  const warnings = [
    { pointer: '#/config/temprature', detail: expect.stringContaining('did you mean temperature?') },
    {
      pointer: '#/config/maximum_iteration',
      detail: expect.stringContaining('did you mean maximum_iterations?'),
    },
  ];

  it('are reported when the agent is written, and kept', async () => {
    const created = await makeAgent({ config });
    expect(created).toMatchObject({ status: 201, body: { config, warnings } });
    const path = `${AGENTS}${String(created.body.id)}/`;
    expect((await send(path, { ...LEAST, llm: listed, config }, 'PUT')).body).toMatchObject({ warnings });
    expect((await send(path, { config }, 'PATCH')).body).toMatchObject({ warnings });
    expect((await send(path, { name: 'other' }, 'PATCH')).body).not.toHaveProperty('warnings');
    expect((await ask(api.url, path)).body).not.toHaveProperty('warnings');
  });
});

describe('the fallbacks of an agent', () => {
  it('have to be model configurations of its tenant', async () => {
    const config = { fallbacks: [unpriced, 999, listed], fallback_after_seconds: 0 };
    const refused = await makeAgent({ config });
    expect([refused.status, pointersOf(refused)]).toEqual([400, ['#/config/fallbacks/1']]);
    expect((await makeAgent({ config: { ...config, fallbacks: [unpriced] } })).status).toBe(201);
  });

  it.each([
    ['no list', { fallbacks: 7 }, '#/config/fallbacks'],
    ['no ids', { fallbacks: ['gpt'] }, '#/config/fallbacks/0'],
    ['more than five', { fallbacks: [1, 2, 3, 4, 5, 6] }, '#/config/fallbacks'],
    ['a wait beyond an hour', { fallback_after_seconds: 3_601 }, '#/config/fallback_after_seconds'],
  ])('are refused with %s', async (_name, config, pointer) => {
    const refused = await makeAgent({ config });
    expect([refused.status, pointersOf(refused)]).toEqual([400, [pointer]]);
  });
});
