import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { agentSchema } from '../../../../apps/api/src/agents/agents.dto.js';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer } from '../http-client.js';

const AGENTS = '/api/agents/';
const NOT_FOUND = { status: 404, code: 'NOT_FOUND', detail: 'Agent not found' };
const UNSUPPORTED = {
  ...{ status: 422, code: 'UNSUPPORTED_USECASE_TYPE', detail: 'Unsupported usecase_type' },
  places: ['pointer #/usecase_type'],
};
const LEAST = { name: 'Basic', usecase_type: 'BASIC_CHAT', llm: 1 };

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

async function create(fields: object = {}): Promise<number> {
  const { body } = await ask(api.url, AGENTS, { json: { ...LEAST, ...fields } });
  return Number(body.id);
}

const at = (id: number): string => `${AGENTS}${id}/`;
const patch = (id: number, json: unknown): Promise<Answer> => ask(api.url, at(id), { method: 'PATCH', json });
const put = (id: number, json: unknown): Promise<Answer> => ask(api.url, at(id), { method: 'PUT', json });

describe('creating', () => {
  it('answers 201 with every field and its default (S3-18, S3-22)', async () => {
    const answer = await ask(api.url, AGENTS, { json: LEAST });

    expect(answer.status).toBe(201);
    expect(agentSchema.strict().parse(answer.body)).toEqual({
      ...LEAST,
      id: answer.body.id,
      system_prompt: null,
      config: {},
      tools: {},
      is_active: true,
    });
  });

  it('keeps what is given (S3-18)', async () => {
    const given = {
      name: '発注係',
      usecase_type: 'BASIC_CHAT',
      llm: 1,
      system_prompt: 'You are a helpful assistant.',
      config: { temperature: 0.7, anything: ['goes'] },
      tools: { builtin: ['search_items'] },
      is_active: false,
    };

    const answer = await ask(api.url, AGENTS, { json: given });

    expect(answer.body).toEqual({ id: answer.body.id, ...given });
  });

  it.each(['CUSTOM_CHAT', 'SOMETHING', 'basic_chat', 'rag_chat'])(
    'does not take the usecase %s (S3-23, S3-30)',
    async (type) => {
      const answer = await ask(api.url, AGENTS, { json: { ...LEAST, usecase_type: type } });

      expectProblem(answer, UNSUPPORTED);
    },
  );

  const id = 'must be a whole number from 1 to 2147483647';
  it.each<[string, object, string, string]>([
    ['no name', { ...LEAST, name: undefined }, 'name', 'is required'],
    ['a blank name', { ...LEAST, name: ' ' }, 'name', 'must not be empty'],
    ['a long name (S3-2)', { ...LEAST, name: 'x'.repeat(101) }, 'name', 'must be at most 100 characters'],
    ['no usecase', { ...LEAST, usecase_type: undefined }, 'usecase_type', 'is required'],
    ['a usecase that is no text', { ...LEAST, usecase_type: 5 }, 'usecase_type', 'must be a text'],
    ['no llm (S3-23)', { ...LEAST, llm: undefined }, 'llm', id],
    ['an llm that is text', { ...LEAST, llm: '1' }, 'llm', id],
    ['an unknown llm', { ...LEAST, llm: 999 }, 'llm', 'there is no model configuration with this id'],
    ['a config that is no object (S3-23)', { ...LEAST, config: [] }, 'config', 'must be a JSON object'],
    ['tools that are no object', { ...LEAST, tools: 'all' }, 'tools', 'must be a JSON object'],
    ['a flag that is text', { ...LEAST, is_active: 'yes' }, 'is_active', 'must be true or false'],
    ['an unknown field', { ...LEAST, rag_config: {} }, 'rag_config', 'is not a known field'],
  ])('refuses %s', async (_name, json, field, words) => {
    const answer = await ask(api.url, AGENTS, { json });

    const places = [`pointer #/${field}`];
    expectProblem(answer, { status: 400, code: 'VALIDATION_ERROR', detail: `${field}: ${words}`, places });
  });
});

describe('changing', () => {
  it('PUT replaces the whole agent, and gives defaults to what is left out', async () => {
    const id = await create({ system_prompt: 'old', config: { a: 1 } });

    const answer = await put(id, { ...LEAST, name: 'New' });

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id, name: 'New', system_prompt: null, config: {} });
  });

  it('PATCH changes only what is given', async () => {
    const id = await create({ system_prompt: 'old', config: { a: 1 } });

    const answer = await patch(id, { name: 'New', system_prompt: null });

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id, name: 'New', system_prompt: null, config: { a: 1 } });
    expect((await ask(api.url, at(id))).body).toEqual(answer.body);
  });

  it('PATCH with nothing changes nothing', async () => {
    const id = await create();

    expect((await patch(id, {})).body).toMatchObject({ id, name: 'Basic' });
  });

  it.each([
    ['PUT', (id: number, json: object) => put(id, { ...LEAST, ...json })],
    ['PATCH', patch],
  ])('%s refuses an unsupported usecase and an unknown llm', async (_method, change) => {
    const id = await create();

    expectProblem(await change(id, { usecase_type: 'CUSTOM_CHAT' }), UNSUPPORTED);
    expect((await change(id, { llm: 999 })).body).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('does not find an agent that does not exist', async () => {
    expectProblem(await put(999, LEAST), NOT_FOUND);
    expectProblem(await patch(999, { name: 'x' }), NOT_FOUND);
  });
});

describe('an inactive agent', () => {
  it('comes of DELETE, is found by nothing but PATCH, and comes back by it', async () => {
    const id = await create();

    const removed = await ask(api.url, at(id), { method: 'DELETE' });

    expect([removed.status, removed.text]).toEqual([204, '']);
    expectProblem(await ask(api.url, at(id)), NOT_FOUND);
    expectProblem(await put(id, LEAST), NOT_FOUND);
    expectProblem(await ask(api.url, at(id), { method: 'DELETE' }), NOT_FOUND);
    expect((await patch(id, { is_active: true })).status).toBe(200);
    expect((await ask(api.url, at(id))).status).toBe(200);
  });

  it('is listed only when inactive ones are asked for (S3-3)', async () => {
    const id = await create({ is_active: false });
    const idsOf = async (query: string): Promise<unknown[]> => {
      const { text } = await ask(api.url, `${AGENTS}${query}`);
      return agentSchema
        .array()
        .parse(JSON.parse(text))
        .map((agent) => agent.id);
    };

    expect(await idsOf('')).not.toContain(id);
    expect(await idsOf('?include_inactive=false')).not.toContain(id);
    expect(await idsOf('?include_inactive=true')).toContain(id);
  });
});

describe('listing', () => {
  it('answers the plain array by id without paging parameters, and pages with them', async () => {
    await create();
    await create();
    const all = agentSchema.array().parse(JSON.parse((await ask(api.url, AGENTS)).text));
    const paged: unknown[] = [];

    for (let query = '?limit=1'; query !== '';) {
      const { body } = await ask(api.url, AGENTS + query);
      paged.push(...(body.data as unknown[]));
      query = body.has_more === true ? `?limit=1&cursor=${String(body.next_cursor)}` : '';
    }

    expect(paged).toEqual(all);
    expect(all.map((agent) => agent.id)).toEqual(all.map((agent) => agent.id).sort((a, b) => a - b));
  });
});
