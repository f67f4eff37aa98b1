import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SCOPES } from '#libs/persistence';
import { createApiKey } from '../../../../apps/migrate/src/api-keys.js';
import { createTenant, setTenantStatus } from '../../../../apps/migrate/src/tenants.js';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { createKey } from '../api-keys.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer } from '../http-client.js';

const SETTINGS = {
  workspace: { enabled: false },
  limits: { queued_executions: null, input_characters: null, tokens_per_execution: null },
  retention: { days: null },
  tool_servers: 'named',
  title_llm: null,
};

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

const change = (id: string, json: object, headers: Record<string, string> = {}): Promise<Answer> =>
  ask(api.url, `/api/tenants/${id}/`, { method: 'PATCH', json, headers });
const submit = (json: object = {}, at = '/api/agents/1/execute/'): Promise<Answer> =>
  ask(api.url, at, { json: { input: 'hello', ...json } });

async function countStored(): Promise<unknown> {
  return api.dataSource.query(`
    SELECT (SELECT count(*) FROM execution) AS executions, (SELECT count(*) FROM chat_session) AS sessions,
           (SELECT count(*) FROM idempotency_key) AS keys`);
}

describe('tenants', () => {
  it('are made, read, listed by id and changed, as the version that If-Match names', async () => {
    const made = await ask(api.url, '/api/tenants/', { json: { id: 'acme' } });
    expect(made).toMatchObject({
      status: 201,
      body: { id: 'acme', name: 'acme', status: 'active', system_prompt: null, settings: SETTINGS },
    });
    expect(made.headers.get('etag')).toBe('"1"');

    const settings = { workspace: { enabled: true }, limits: { input_characters: 10 } };
    const fields = { name: 'Acme', system_prompt: 'We sell anvils.', status: 'inactive', settings };
    const changed = await change('acme', fields, { 'if-match': '"1"' });
    expect(changed).toMatchObject({ status: 200, body: { name: 'Acme', status: 'inactive' } });
    expect(changed.body.settings).toEqual({
      ...SETTINGS,
      workspace: { enabled: true },
      limits: { ...SETTINGS.limits, input_characters: 10 },
    });
    expect((await change('acme', { name: 'Late' }, { 'if-match': '"1"' })).status).toBe(412);
    expect((await change('acme', { system_prompt: null })).body).toMatchObject({
      name: 'Acme',
      system_prompt: null,
      status: 'inactive',
    });

    const first = await ask(api.url, '/api/tenants/?limit=1');
    expect(first.body).toMatchObject({ has_more: true, data: [{ id: 'acme' }] });
    const rest = await ask(api.url, `/api/tenants/?cursor=${String(first.body.next_cursor)}`);
    expect(rest.body).toMatchObject({ has_more: false, data: [{ id: 'default' }] });
  });

  it('have an id that is no other tenant’s', async () => {
    expectProblem(await ask(api.url, '/api/tenants/', { json: { id: 'default' } }), {
      status: 409,
      code: 'TENANT_EXISTS',
      detail: 'A tenant with this id exists',
    });
  });

  it.each<[string, object, string]>([
    ['an id that is a path', { id: '../x' }, '#/id'],
    ['a long id', { id: 'x'.repeat(65) }, '#/id'],
    ['no id', { name: 'x' }, '#/id'],
    ['an unknown status', { id: 'x', status: 'gone' }, '#/status'],
    [
      'an unknown setting',
      { id: 'x', settings: { limits: { executions: 1 } } },
      '#/settings/limits/executions',
    ],
    [
      'a model for titles that it does not have',
      { id: 'x', settings: { title_llm: 7 } },
      '#/settings/title_llm',
    ],
    ['tool servers by chance', { id: 'x', settings: { tool_servers: 'some' } }, '#/settings/tool_servers'],
    ['half a day', { id: 'x', settings: { retention: { days: 0.5 } } }, '#/settings/retention/days'],
    [
      'a limit below zero',
      { id: 'x', settings: { limits: { queued_executions: -1 } } },
      '#/settings/limits/queued_executions',
    ],
  ])('with %s are refused', async (_name, json, pointer) => {
    const { status, body } = await ask(api.url, '/api/tenants/', { json });

    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ pointer }]);
  });

  it('answer 404 when they do not exist', async () => {
    expect((await ask(api.url, '/api/tenants/nobody/')).status).toBe(404);
    expect((await change('nobody', { name: 'x' })).status).toBe(404);
  });

  it('are the matter of keys with the scope admin, whose tenant does not count', async () => {
    const keyed = await startApi({ DATABASE_URL: database.url, AUTH: 'api-key' });
    try {
      const all = await createKey(
        api.dataSource,
        SCOPES.filter((scope) => scope !== 'admin'),
      );
      const admin = await createKey(api.dataSource, ['admin'], 'operators');
      const askWith = (key: string, path: string): Promise<Answer> =>
        ask(keyed.url, path, { headers: { authorization: `Bearer ${key}` } });

      expect((await askWith(all, '/api/tenants/default/')).status).toBe(403);
      expect((await askWith(admin, '/api/tenants/default/')).status).toBe(200);
      expect((await askWith(admin, '/api/agents/')).status).toBe(403);
      expect((await askWith(admin, '/api/tenants/operators/')).body).toMatchObject({ status: 'active' });
    } finally {
      await keyed.app.close();
    }
  });
});

describe('at the command line', () => {
  it('tenants are made, stopped and started; a key makes the tenant that it is for', async () => {
    const status = async (id: string): Promise<unknown> =>
      (await ask(api.url, `/api/tenants/${id}/`)).body.status;

    await createTenant(database.url, 'shop');
    await createTenant(database.url, 'shop');
    await setTenantStatus(database.url, 'shop', 'inactive');
    await createApiKey(database.url, { tenantId: 'shop', name: 'k', scopes: [] });
    expect(await status('shop')).toBe('inactive');
    await setTenantStatus(database.url, 'shop', 'active');
    expect(await status('shop')).toBe('active');
    await createApiKey(database.url, { tenantId: 'store', name: 'k', scopes: [] });
    expect(await status('store')).toBe('active');

    await expect(setTenantStatus(database.url, 'nobody', 'active')).rejects.toThrow('no tenant "nobody"');
    await expect(
      createApiKey(database.url, { tenantId: 'a b', name: 'k', scopes: [] }),
    ).rejects.toMatchObject({
      code: 'INVALID_TENANT',
    });
  });
});

describe('submissions for', () => {
  let before: unknown;
  beforeEach(async () => {
    before = await countStored();
  });
  afterEach(async () => {
    await change('default', { status: 'active', settings: {} });
    await api.dataSource.query('UPDATE llm SET is_active = true');
  });

  it('an inactive tenant is refused before anything is stored, and what is there stays readable (S4-2)', async () => {
    await change('default', { status: 'inactive' });

    const answer = await ask(api.url, '/api/agents/1/execute/', {
      json: { input: 'hello' },
      headers: { 'idempotency-key': 'once' },
    });

    expectProblem(answer, { status: 400, code: 'INACTIVE_RESOURCE', detail: 'the tenant is inactive' });
    expect(await countStored()).toEqual(before);
    expect((await ask(api.url, '/api/agents/1/')).status).toBe(200);
  });

  it('an inactive model configuration is refused before anything is stored (S4-2)', async () => {
    await ask(api.url, '/api/llms/1/', { method: 'PATCH', json: { is_active: false } });

    expectProblem(await submit(), {
      status: 400,
      code: 'INACTIVE_RESOURCE',
      detail: 'the model configuration is inactive',
    });
    expect(await countStored()).toEqual(before);
  });

  it('a retry is judged like any submission', async () => {
    const { body } = await submit();
    await ask(api.url, `/api/executions/${String(body.id)}/cancel/`, { method: 'POST' });
    await change('default', { status: 'inactive' });

    expect(
      (await ask(api.url, `/api/executions/${String(body.id)}/retry/`, { method: 'POST' })).body,
    ).toMatchObject({
      code: 'INACTIVE_RESOURCE',
    });
  });

  it('a tenant without a row are refused (S4-2)', async () => {
    await api.dataSource.query(`DELETE FROM api_key WHERE tenant_id = 'default'`);
    await api.dataSource.query(`UPDATE tenant SET id = 'renamed' WHERE id = 'default'`);
    try {
      expectProblem(await submit(), { status: 404, code: 'NOT_FOUND', detail: 'Tenant not found' });
      expect(await countStored()).toEqual(before);
    } finally {
      await api.dataSource.query(`UPDATE tenant SET id = 'default' WHERE id = 'renamed'`);
    }
  });

  it('a tenant may be shorter than the service allows', async () => {
    await change('default', { settings: { limits: { input_characters: 5 } } });

    expectProblem(await submit({ input: 'hello!' }), {
      status: 400,
      code: 'VALIDATION_ERROR',
      detail: 'input: at most 5 characters',
      places: ['pointer #/input'],
    });
    expect(await countStored()).toEqual(before);
    expect((await submit({ input: 'hello' })).status).toBe(202);
  });

  it('a tenant may wait in a shorter line than the service allows', async () => {
    await change('default', { settings: { limits: { queued_executions: 0 } } });

    expectProblem(await submit(), {
      status: 429,
      code: 'QUEUE_FULL',
      detail:
        '0 executions of the tenant are waiting, the maximum (limits.queued_executions of the tenant); try again later',
    });
    expect(await countStored()).toEqual(before);
  });
});
