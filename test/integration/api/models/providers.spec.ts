import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KEY, LlmsApi } from '../llms-api.js';

let world: LlmsApi;
beforeAll(async () => {
  world = await LlmsApi.start();
});
afterAll(() => world.close());

describe('a configuration of another provider', () => {
  const COMPATIBLE = { provider: 'openai_compatible' };
  const fault = (pointer: string) => ({
    status: 400,
    json: { errors: expect.arrayContaining([expect.objectContaining({ pointer })]) as unknown },
  });

  it('is read by the rules of that provider, and tried for real', async () => {
    const made = await world.create(
      { api_key: KEY, api_base: `${world.simulatorUrl}/v1`, limit_field: 'max_completion_tokens' },
      COMPATIBLE,
    );
    expect(made).toMatchObject({
      status: 201,
      json: {
        provider: 'openai_compatible',
        api_key_hint: '7890',
        credentials: { api_base: `${world.simulatorUrl}/v1`, limit_field: 'max_completion_tokens' },
      },
    });
    expect(made.text).not.toContain(KEY);
    const tried = await world.call('POST', `/api/llms/${String(made.json['id'])}/validate/`);
    expect(tried.json).toMatchObject({ valid: true, checks: [{ ok: true }, { ok: true }] });
    const refused = await world.create(
      { api_key: 'sk-invalid', api_base: `${world.simulatorUrl}/v1` },
      COMPATIBLE,
    );
    expect(
      (await world.call('POST', `/api/llms/${String(refused.json['id'])}/validate/`)).json,
    ).toMatchObject({
      valid: false,
      checks: [{ name: 'provider', ok: false, reason: 'invalid_credentials' }],
    });
  });

  it('for the Messages API is read by its rules, and tried for real', async () => {
    const anthropic = { provider: 'anthropic', model: 'sim-echo' };
    const made = await world.create(
      { anthropic_api_key: KEY, anthropic_api_base: world.simulatorUrl },
      { ...anthropic, extra: { prompt_cache: '1h', top_k: 5 } },
    );
    expect(made).toMatchObject({
      status: 201,
      json: {
        ...{ provider: 'anthropic', api_key_hint: '7890' },
        credentials: { anthropic_api_base: `${world.simulatorUrl}/v1` },
      },
    });
    const tried = await world.call('POST', `/api/llms/${String(made.json['id'])}/validate/`);
    expect(tried.json).toMatchObject({ valid: true, checks: [{ ok: true }, { ok: true }] });
    const refused = await world.create(
      { anthropic_api_key: 'sk-invalid', anthropic_api_base: world.simulatorUrl },
      anthropic,
    );
    expect(
      (await world.call('POST', `/api/llms/${String(refused.json['id'])}/validate/`)).json,
    ).toMatchObject({ valid: false, checks: [{ name: 'provider', reason: 'invalid_credentials' }] });
  });

  it('for the Claude Agent SDK is tried without the engine, at the server that the engine asks', async () => {
    const engine = { provider: 'claude_agent_sdk', model: 'sim-echo' };
    const own = { claude_agent_base: world.simulatorUrl };
    const made = await world.create(
      { ...own, claude_agent_key: KEY },
      { ...engine, extra: { reasoning_effort: 'low' } },
    );
    expect(made).toMatchObject({
      status: 201,
      json: { ...engine, api_key_hint: '7890', credentials: own },
    });
    const tried = await world.call('POST', `/api/llms/${String(made.json['id'])}/validate/`);
    expect(tried.json).toMatchObject({ valid: true, checks: [{ ok: true }, { ok: true }] });
    expect(
      await world.create({ ...own, claude_agent_key: KEY, claude_agent_backend: 'vertex' }, engine),
    ).toMatchObject(fault('#/credentials/claude_agent_backend'));
    expect(await world.create(own, engine)).toMatchObject(fault('#/credentials/claude_agent_key'));
    expect(
      await world.create({ ...own, claude_agent_key: KEY }, { ...engine, extra: { temperature: 1 } }),
    ).toMatchObject(fault('#/extra/temperature'));
  });

  it('S4-30: lists the short names of models', async () => {
    const { json } = await world.call('GET', '/api/models/');
    expect(json['providers']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          id: 'anthropic',
          aliases: expect.objectContaining({ haiku: 'claude-haiku-5-5' }),
        }),
      ]),
    );
  });

  it.each<[string, object, object, string]>([
    ['an unknown provider', {}, { provider: 'unlisted' }, '#/provider'],
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
      'a parameter that the Messages API does not have (S3-27)',
      {},
      { provider: 'anthropic', extra: { verbosity: 'low' } },
      '#/extra/verbosity',
    ],
    [
      'a parameter beyond the limits of its API (S3-27)',
      {},
      { extra: { max_output_tokens: 200_000 } },
      '#/extra/max_output_tokens',
    ],
  ])('is refused with %s', async (_case, credentials, more, pointer) =>
    expect(await world.create(credentials, more)).toMatchObject(fault(pointer)),
  );

  it('takes no key and no parameter along from the provider before', async () => {
    const { json } = await world.create(
      { openai_api_key: KEY, openai_api_base: world.simulatorUrl },
      { extra: { reasoning_summary: 'auto' } },
    );
    const path = `/api/llms/${String(json['id'])}/`;
    expect(await world.call('PATCH', path, COMPATIBLE)).toMatchObject(fault('#/extra/reasoning_summary'));
    expect(await world.call('PATCH', path, { ...COMPATIBLE, extra: {} })).toMatchObject(
      fault('#/credentials'),
    );
    const moved = await world.call('PATCH', path, {
      ...COMPATIBLE,
      extra: {},
      credentials: { auth: 'none', api_base: world.simulatorUrl },
    });
    expect(moved).toMatchObject({
      status: 200,
      json: { ...COMPATIBLE, api_key_hint: null, credentials: { api_base: `${world.simulatorUrl}/v1` } },
    });
    expect(moved.json['credentials']).not.toHaveProperty('openai_api_base');
    const home = await world.call('PATCH', path, { provider: 'openai', credentials: {} });
    expect(home).toMatchObject({ status: 200, json: { provider: 'openai', api_key_hint: null } });
  });

  it('takes no key along to another provider', async () => {
    const keyed = { api_key: KEY, api_base: world.simulatorUrl };
    const { json } = await world.create(keyed, COMPATIBLE);
    expect(json['api_key_hint']).not.toBeNull();
    const path = `/api/llms/${String(json['id'])}/`;
    const moved = await world.call('PATCH', path, { provider: 'openai', credentials: {} });
    expect(moved).toMatchObject({ status: 200, json: { provider: 'openai', api_key_hint: null } });
    const sql = 'SELECT api_key_sealed FROM llm WHERE id = $1';
    expect(await world.api.dataSource.query(sql, [json['id']])).toEqual([{ api_key_sealed: null }]);
  });

  it('decides what options of its agents and of requests may be', async () => {
    const { json: llm } = await world.create({ auth: 'none', api_base: world.simulatorUrl }, COMPATIBLE);
    const agent = (config: object) =>
      world.call('POST', '/api/agents/', { name: 'a', usecase_type: 'BASIC_CHAT', llm: llm['id'], config });
    const written = await agent({ max_output_tokens: 200_000, sead: 1 });
    expect(written).toMatchObject({ status: 201, json: { warnings: [{ pointer: '#/config/sead' }] } });
    expect(await agent({ frequency_penalty: 3 })).toMatchObject(fault('#/config/frequency_penalty'));
    const path = `/api/agents/${String(written.json['id'])}/execute/`;
    const execute = (options: object) => world.call('POST', path, { input: 'hi', options });
    expect(await execute({ reasoning_summary: 'auto' })).toMatchObject(fault('#/options/reasoning_summary'));
    expect(await execute({ max_output_tokens: 0 })).toMatchObject(fault('#/options/max_output_tokens'));
    expect((await execute({ max_output_tokens: 2.9 })).status).toBe(202);
  });
});

it('a number that is too large for one is refused where it stands, and never passes for "not given"', async () => {
  const body = '{"input": "hi", "options": {"max_output_tokens": 1e999}}';
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${world.api.url}/api/agents/1/execute/`, { method: 'POST', headers, body });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ errors: [{ pointer: '#/options/max_output_tokens' }] });
});
