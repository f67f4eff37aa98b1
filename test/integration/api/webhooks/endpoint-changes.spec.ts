import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WEBHOOK_EVENT_TYPES } from '#libs/payloads';
import { WebhookEndpointWithSecretDto } from '../../../../apps/api/src/webhook-endpoints/webhook-endpoints.dto.js';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer } from '../http-client.js';

const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const ENDPOINTS = '/api/webhook-endpoints/';
const NOT_FOUND = { status: 404, code: 'NOT_FOUND', detail: 'Webhook endpoint not found' };

let database: TestDatabase;
let api: RunningApi;

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url, ENCRYPTION_KEY });
});
afterAll(async () => {
  await api.app.close();
  await database.drop();
});

async function register(): Promise<InstanceType<typeof WebhookEndpointWithSecretDto>> {
  const json = { url: 'https://example.com/hooks', events: ['execution.failed'] };
  return WebhookEndpointWithSecretDto.create((await ask(api.url, ENDPOINTS, { json })).body);
}
const patch = (id: number, json: unknown): Promise<Answer> =>
  ask(api.url, `${ENDPOINTS}${id}/`, { method: 'PATCH', json });
const rotate = (id: number, base = api.url): Promise<Answer> =>
  ask(base, `${ENDPOINTS}${id}/rotate-secret/`, { method: 'POST' });

describe('an endpoint', () => {
  it.each<[string, object]>([
    ['url', { url: 'https://example.com/new' }],
    ['events', { events: ['execution.completed', 'execution.cancelled'] }],
    ['is_active', { is_active: false }],
    ['name', { name: 'shop' }],
    ['nothing', {}],
  ])('changes its %s and keeps the rest', async (_field, json) => {
    const { secret, ...endpoint } = await register();
    const changed = await patch(endpoint.id, json);
    expect([changed.status, changed.body]).toEqual([200, { ...endpoint, ...json }]);
    expect((await ask(api.url, `${ENDPOINTS}${endpoint.id}/`)).body).toEqual({ ...endpoint, ...json });
    expect(changed.text).not.toContain(secret);
  });

  it.each<[string, unknown, string, string]>([
    ['a URL of another protocol', { url: 'ftp://example.com' }, 'url', 'must be an http or https URL'],
    ['no events', { events: [] }, 'events', 'must not be empty'],
    [
      'an unknown event',
      { events: ['execution.began'] },
      'events/0',
      `must be one of ${WEBHOOK_EVENT_TYPES.join(', ')}`,
    ],
    ['a word for active', { is_active: 'no' }, 'is_active', 'must be true or false'],
    ['a secret', { secret: 'whsec_s3cret' }, 'secret', 'is not a known field'],
    ['an empty name', { name: ' ' }, 'name', 'must be 1 to 100 characters, without NUL'],
    ['an id', { id: 7 }, 'id', 'is not a known field'],
  ])('cannot be given %s', async (_name, json, field, words) => {
    const { id } = await register();
    const answer = await patch(id, json);
    const detail = `${field.replace('/', '.')}: ${words}`;
    expectProblem(answer, { status: 400, code: 'VALIDATION_ERROR', detail, places: [`pointer #/${field}`] });
    expect(answer.text).not.toContain('s3cret');
  });

  it('has a name of its own, which another endpoint may take once it is gone', async () => {
    const [one, other] = [await register(), await register()];
    const taken = {
      status: 409,
      code: 'WEBHOOK_ENDPOINT_NAME_TAKEN',
      detail: 'Another webhook endpoint of the tenant has this name',
    };
    expect((await patch(one.id, { name: 'orders' })).status).toBe(200);
    expectProblem(await patch(other.id, { name: 'orders' }), taken);
    const json = { name: 'orders', url: 'https://example.com/hooks' };
    expectProblem(await ask(api.url, ENDPOINTS, { json }), taken);
    expect((await patch(one.id, { name: null })).body.name).toBeNull();
    expect((await patch(other.id, { name: 'orders' })).status).toBe(200);
    await ask(api.url, `${ENDPOINTS}${other.id}/`, { method: 'DELETE' });
    expect((await ask(api.url, ENDPOINTS, { json })).body.name).toBe('orders');
  });

  it('gets a new secret, shown once, and says until when the old one counts', async () => {
    const { secret: old, ...endpoint } = await register();
    expect(endpoint.previous_secret_expires_at).toBeNull();
    const rotated = await rotate(endpoint.id);
    expect(rotated.status).toBe(200);
    const { secret, ...shown } = WebhookEndpointWithSecretDto.create(rotated.body);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/);
    expect(secret).not.toBe(old);
    expect(shown).toEqual({ ...endpoint, previous_secret_expires_at: shown.previous_secret_expires_at });
    expect(shown.previous_secret_expires_at).not.toBeNull();
    expect((await ask(api.url, `${ENDPOINTS}${endpoint.id}/`)).body).toEqual(shown);
  });

  it('answers 404 when it does not exist, or belongs to another tenant, and stays as it is', async () => {
    const { id } = await register();
    const read = (): Promise<unknown> =>
      api.dataSource.query('SELECT * FROM webhook_endpoint WHERE id = $1', [id]);
    await api.dataSource.query(`UPDATE webhook_endpoint SET tenant_id = 'other' WHERE id = $1`, [id]);
    const before = await read();
    for (const unknown of [id, 999_999]) {
      expectProblem(await patch(unknown, { is_active: false }), NOT_FOUND);
      expectProblem(await rotate(unknown), NOT_FOUND);
    }
    expect(await read()).toEqual(before);
  });
});

it('a server without ENCRYPTION_KEY makes no secrets, and says why', async () => {
  const { id } = await register();
  const before: unknown = await api.dataSource.query('SELECT * FROM webhook_endpoint ORDER BY id');
  const unable = await startApi({ DATABASE_URL: database.url });
  const problem = {
    status: 422,
    code: 'ENCRYPTION_NOT_CONFIGURED',
    detail: 'Secrets cannot be stored, because ENCRYPTION_KEY is not set',
  };
  try {
    expectProblem(await ask(unable.url, ENDPOINTS, { json: { url: 'https://example.com/' } }), problem);
    expectProblem(await rotate(id, unable.url), problem);
    expect(await api.dataSource.query('SELECT * FROM webhook_endpoint ORDER BY id')).toEqual(before);
  } finally {
    await unable.app.close();
  }
});
