import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { createSimulator } from '../../../apps/simulator/src/simulator.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';
import { startApi, type RunningApi } from './api-fixture.js';

const KEY = 'sk-canary-1234567890';
const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

let database: TestDatabase;
let simulator: FastifyInstance;
let simulatorUrl: string;
let api: RunningApi;

beforeAll(async () => {
  database = await createSeededDatabase();
  simulator = await createSimulator();
  simulatorUrl = await simulator.listen({ host: '127.0.0.1', port: 0 });
  api = await startApi({ DATABASE_URL: database.url, ENCRYPTION_KEY, MODEL_ALLOW_PRIVATE_HOSTS: 'true' });
});
afterAll(async () => {
  await api.app.close();
  await simulator.close();
  await database.drop();
});

async function call(method: string, path: string, body?: unknown, base = api.url) {
  const init =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`${base}${path}`, { method, ...init });
  const text = await response.text();
  return {
    status: response.status,
    text,
    json: (text === '' ? null : JSON.parse(text)) as Record<string, unknown>,
  };
}

const create = (credentials: object, rest: object = {}) =>
  call('POST', '/api/llms/', { name: 'mine', model: 'sim-echo', credentials, ...rest });

describe('a configuration of another provider', () => {
  const COMPATIBLE = { provider: 'openai_compatible' };
  const fault = (pointer: string) => ({
    status: 400,
    json: { errors: expect.arrayContaining([expect.objectContaining({ pointer })]) as unknown },
  });

  it('is read by the rules of that provider, and tried for real', async () => {
    const made = await create(
      { api_key: KEY, api_base: `${simulatorUrl}/v1`, limit_field: 'max_completion_tokens' },
      COMPATIBLE,
    );
    expect(made).toMatchObject({
      status: 201,
      json: {
        provider: 'openai_compatible',
        api_key_hint: '7890',
        credentials: { api_base: `${simulatorUrl}/v1`, limit_field: 'max_completion_tokens' },
      },
    });
    expect(made.text).not.toContain(KEY);
    const tried = await call('POST', `/api/llms/${String(made.json['id'])}/validate/`);
    expect(tried.json).toMatchObject({ valid: true, checks: [{ ok: true }, { ok: true }] });
    const refused = await create({ api_key: 'sk-invalid', api_base: `${simulatorUrl}/v1` }, COMPATIBLE);
    expect((await call('POST', `/api/llms/${String(refused.json['id'])}/validate/`)).json).toMatchObject({
      valid: false,
      checks: [{ name: 'provider', ok: false, reason: 'invalid_credentials' }],
    });
  });

  it.each<[string, object, object, string]>([
    ['a provider that nobody knows', {}, { provider: 'nobody' }, '#/provider'],
    ['a field of another provider', { openai_api_key: KEY }, COMPATIBLE, '#/credentials/openai_api_key'],
    ['a field of this one elsewhere', { api_base: 'https://a.test' }, {}, '#/credentials/api_base'],
    ['a server without its key', { api_base: 'https://a.test/v1' }, COMPATIBLE, '#/credentials/api_key'],
    ['a key that cannot be one', { api_key: 'a b' }, COMPATIBLE, '#/credentials/api_key'],
    [
      'a version that would be a query of its own',
      { auth: 'none', api_base: 'https://a.test/v1', api_version: '1&x=y' },
      COMPATIBLE,
      '#/credentials/api_version',
    ],
    [
      'a parameter that its API does not have (S3-27)',
      {},
      { ...COMPATIBLE, extra: { reasoning_summary: 'auto' } },
      '#/extra/reasoning_summary',
    ],
    [
      'a parameter beyond the limits of its API (S3-27)',
      {},
      { extra: { max_output_tokens: 200_000 } },
      '#/extra/max_output_tokens',
    ],
  ])('is refused with %s', async (_case, credentials, more, pointer) =>
    expect(await create(credentials, more)).toMatchObject(fault(pointer)),
  );

  it('takes no key and no parameter along from the provider before', async () => {
    const { json } = await create(
      { openai_api_key: KEY, openai_api_base: simulatorUrl },
      { extra: { reasoning_summary: 'auto' } },
    );
    const path = `/api/llms/${String(json['id'])}/`;
    expect(await call('PATCH', path, COMPATIBLE)).toMatchObject(fault('#/extra/reasoning_summary'));
    expect(await call('PATCH', path, { ...COMPATIBLE, extra: {} })).toMatchObject(fault('#/credentials'));
    const moved = await call('PATCH', path, {
      ...COMPATIBLE,
      extra: {},
      credentials: { auth: 'none', api_base: simulatorUrl },
    });
    expect(moved).toMatchObject({
      status: 200,
      json: { ...COMPATIBLE, api_key_hint: null, credentials: { api_base: `${simulatorUrl}/v1` } },
    });
    expect(moved.json['credentials']).not.toHaveProperty('openai_api_base');
    const home = await call('PATCH', path, { provider: 'openai', credentials: {} });
    expect(home).toMatchObject({ status: 200, json: { provider: 'openai', api_key_hint: null } });
  });

  it('decides what options of its agents and of requests may be', async () => {
    const { json: llm } = await create({ auth: 'none', api_base: simulatorUrl }, COMPATIBLE);
    const agent = (config: object) =>
      call('POST', '/api/agents/', { name: 'a', usecase_type: 'BASIC_CHAT', llm: llm['id'], config });
    const written = await agent({ max_output_tokens: 200_000, sead: 1 });
    expect(written).toMatchObject({ status: 201, json: { warnings: [{ pointer: '#/config/sead' }] } });
    expect(await agent({ frequency_penalty: 3 })).toMatchObject(fault('#/config/frequency_penalty'));
    const path = `/api/agents/${String(written.json['id'])}/execute/`;
    const execute = (options: object) => call('POST', path, { input: 'hi', options });
    expect(await execute({ reasoning_summary: 'auto' })).toMatchObject(fault('#/options/reasoning_summary'));
    expect(await execute({ max_output_tokens: 1.5 })).toMatchObject(fault('#/options/max_output_tokens'));
    expect((await execute({ max_output_tokens: 2 })).status).toBe(202);
  });
});

it('a number that is too large for one is refused where it stands, and never passes for "not given"', async () => {
  const body = '{"input": "hi", "options": {"max_output_tokens": 1e999}}';
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${api.url}/api/agents/1/execute/`, { method: 'POST', headers, body });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ errors: [{ pointer: '#/options/max_output_tokens' }] });
});
