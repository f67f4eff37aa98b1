import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi } from '../api-fixture.js';
import { KEY, LlmsApi } from '../llms-api.js';

let world: LlmsApi;
beforeAll(async () => {
  world = await LlmsApi.start();
});
afterAll(() => world.close());

describe('model configurations', () => {
  it('keep the key sealed: no answer, no log line and no row shows it', async () => {
    const created = await world.create({ openai_api_key: KEY, openai_api_base: `${world.simulatorUrl}/` });
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({
      api_key_hint: '7890',
      credentials: {
        openai_api_base: `${world.simulatorUrl}/v1`,
        request_timeout_seconds: 300,
        max_retries: 1,
      },
    });
    const read = await world.call('GET', `/api/llms/${String(created.json['id'])}/`);
    const listed = await world.call('GET', '/api/llms/');
    const rows: unknown = await world.api.dataSource.query('SELECT llm::text FROM llm');
    const everything = [created.text, read.text, listed.text, JSON.stringify(rows), ...world.api.log].join(
      '\n',
    );
    expect(everything).not.toContain(KEY);
    expect(everything).not.toContain(KEY.slice(0, -4));
  });

  it('keep their key when other fields change, and take a new one', async () => {
    const { json } = await world.create({ openai_api_key: KEY, openai_api_base: world.simulatorUrl });
    const path = `/api/llms/${String(json['id'])}/`;
    expect((await world.call('PATCH', path, { name: 'renamed' })).json).toMatchObject({
      name: 'renamed',
      api_key_hint: '7890',
    });
    const changed = await world.call('PATCH', path, { credentials: { openai_api_key: 'sk-another-abcd' } });
    expect(changed.json).toMatchObject({ api_key_hint: 'abcd', credentials: { max_retries: 1 } });
  });

  it('never let a stored key follow to another server', async () => {
    const { json } = await world.create({ openai_api_key: KEY, openai_api_base: 'https://a.test' });
    const path = `/api/llms/${String(json['id'])}/`;
    for (const credentials of [{ openai_api_base: 'https://b.test' }, {}, { max_retries: 2 }]) {
      const moved = await world.call('PATCH', path, { credentials });
      expect(moved).toMatchObject({
        status: 400,
        json: { errors: [{ pointer: '#/credentials/openai_api_key' }] },
      });
    }
    expect((await world.call('PUT', path, { name: 'x', model: 'm' })).status).toBe(400);
    expect((await world.call('GET', path)).json).toMatchObject({
      api_key_hint: '7890',
      credentials: { openai_api_base: 'https://a.test/v1' },
    });
    const stays = { openai_api_base: 'https://a.test/v1', max_retries: 2 };
    expect((await world.call('PATCH', path, { credentials: stays })).json).toMatchObject({
      api_key_hint: '7890',
      credentials: { max_retries: 2 },
    });
    const moves = { openai_api_base: 'https://b.test', openai_api_key: 'sk-another-abcd' };
    expect((await world.call('PATCH', path, { credentials: moves })).json).toMatchObject({
      api_key_hint: 'abcd',
    });
  });

  it('name a server without a key only where they say that it asks for none', async () => {
    const own = { openai_api_base: 'https://own.test' };
    const problem = (pointer: string) => ({ status: 400, json: { errors: [{ pointer }] } });
    expect(await world.create(own)).toMatchObject(problem('#/credentials/openai_api_key'));
    expect(await world.create({ auth: 'none' })).toMatchObject(problem('#/credentials/openai_api_base'));
    expect(await world.create({ ...own, auth: 'none', openai_api_key: KEY })).toMatchObject(
      problem('#/credentials/openai_api_key'),
    );
    const { json } = await world.create({
      ...own,
      auth: 'none',
      first_byte_timeout_seconds: 20,
      stream_when: 'followed',
    });
    expect(json).toMatchObject({
      api_key_hint: null,
      credentials: {
        ...{ auth: 'none', openai_api_base: 'https://own.test/v1', first_byte_timeout_seconds: 20 },
        stream_when: 'followed',
      },
    });
  });

  it('forget their key when their server asks for none, and want a new one afterwards', async () => {
    const own = { openai_api_base: 'https://own.test' };
    const { json } = await world.create({ ...own, openai_api_key: KEY });
    const path = `/api/llms/${String(json['id'])}/`;
    expect((await world.call('PATCH', path, { credentials: { ...own, auth: 'none' } })).json).toMatchObject({
      api_key_hint: null,
    });
    expect((await world.call('PATCH', path, { credentials: own })).status).toBe(400);
  });

  it.each([
    [
      'the first byte may take no time',
      { name: 'x', model: 'm', credentials: { first_byte_timeout_seconds: 0 } },
      '#/credentials/first_byte_timeout_seconds',
    ],
    [
      'calls are never streamed',
      { name: 'x', model: 'm', credentials: { stream_when: 'never' } },
      '#/credentials/stream_when',
    ],
    ['a model is missing', { name: 'x' }, '#/model'],
    [
      'a server is no URL',
      { name: 'x', model: 'm', credentials: { openai_api_base: 'ftp://x' } },
      '#/credentials/openai_api_base',
    ],
    [
      'a key has a space',
      { name: 'x', model: 'm', credentials: { openai_api_key: 'a b' } },
      '#/credentials/openai_api_key',
    ],
    [
      'a price is no decimal',
      { name: 'x', model: 'm', pricing: { currency: 'USD', input: 'free' } },
      '#/pricing/input',
    ],
    ['a field is unknown', { name: 'x', model: 'm', colour: 'red' }, '#/colour'],
  ])('answer 400 and name the field when %s', async (_name, body, pointer) => {
    const { status, json } = await world.call('POST', '/api/llms/', body);
    expect(status).toBe(400);
    expect(json['errors']).toContainEqual(expect.objectContaining({ pointer }));
  });

  it('cannot be removed while an agent refers to them', async () => {
    expect(await world.call('DELETE', '/api/llms/1/')).toMatchObject({
      status: 409,
      json: { code: 'LLM_IN_USE' },
    });
    const { json } = await world.create({});
    expect((await world.call('DELETE', `/api/llms/${String(json['id'])}/`)).status).toBe(204);
    expect((await world.call('GET', `/api/llms/${String(json['id'])}/`)).status).toBe(404);
  });

  it('cannot hold a key where the server has nothing to seal it with', async () => {
    const unable = await startApi({ DATABASE_URL: world.database.url });
    try {
      const body = { name: 'x', model: 'm', credentials: { openai_api_key: KEY } };
      const answer = await world.call('POST', '/api/llms/', body, unable.url);
      expect(answer).toMatchObject({ status: 422, json: { code: 'ENCRYPTION_NOT_CONFIGURED' } });
    } finally {
      await unable.app.close();
    }
  });
});

describe('the catalogue', () => {
  it('lists the eight models first, with parameters, features and prices, and what a provider needs (S1-5, S1-6, S1-12, S1-14)', async () => {
    const { json } = await world.call('GET', '/api/models/');
    const models = json['data'] as {
      id: string;
      provider: string;
      features: string[];
      parameters: { name: string }[];
    }[];
    expect(models.filter(({ provider }) => provider === 'openai')).toHaveLength(8);
    for (const model of models) expect(model.features).not.toContain('vision');
    expect(json['providers']).toMatchObject([
      { id: 'openai', supported_model_types: ['llm'] },
      { id: 'openai_compatible', configurate_methods: ['customizable-model'] },
      { id: 'anthropic', configurate_methods: ['predefined-model', 'customizable-model'] },
      { id: 'bedrock', configurate_methods: ['predefined-model', 'customizable-model'] },
      { id: 'claude_agent_sdk', configurate_methods: ['predefined-model', 'customizable-model'] },
    ]);
    expect(models.slice(0, 8).map(({ provider }) => provider)).toEqual(Array(8).fill('openai'));
    expect(models[0]?.parameters.map((parameter) => parameter.name)).toContain('reasoning_effort');
  });
});
