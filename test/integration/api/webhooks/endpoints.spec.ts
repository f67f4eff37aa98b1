import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  WebhookEndpointPageDto,
  WebhookEndpointWithSecretDto,
} from '../../../../apps/api/src/webhook-endpoints/webhook-endpoints.dto.js';
import { WEBHOOK_EVENT_TYPES } from '#libs/payloads';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask } from '../http-client.js';

const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const ENDPOINTS = '/api/webhook-endpoints/';

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

it('a new endpoint shows its secret once, and receives everything unless it says otherwise', async () => {
  const created = await ask(api.url, ENDPOINTS, { json: { url: 'https://example.com/hooks' } });

  expect(created.status).toBe(201);
  const { secret, ...shown } = WebhookEndpointWithSecretDto.create(created.body);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/);
  expect(shown).toMatchObject({
    url: 'https://example.com/hooks',
    events: WEBHOOK_EVENT_TYPES,
    is_active: true,
  });

  const read = await ask(api.url, `${ENDPOINTS}${shown.id}/`);
  const list = await ask(api.url, ENDPOINTS);
  expect(read.body).toEqual(shown);
  expect(list.text).not.toContain(secret);
});

it('an endpoint receives what it asks for', async () => {
  const json = { url: 'http://127.0.0.1:9999/', events: ['execution.completed'] };

  const { body } = await ask(api.url, ENDPOINTS, { json });

  expect(body).toMatchObject({ events: ['execution.completed'] });
});

it('a removed endpoint is gone', async () => {
  const { body } = await ask(api.url, ENDPOINTS, { json: { url: 'https://example.com/' } });
  const path = `${ENDPOINTS}${String(body.id)}/`;

  const removed = await ask(api.url, path, { method: 'DELETE' });

  expect([removed.status, removed.text]).toEqual([204, '']);
  expectProblem(await ask(api.url, path), {
    status: 404,
    code: 'NOT_FOUND',
    detail: 'Webhook endpoint not found',
  });
});

it('endpoints are listed page by page', async () => {
  for (const path of ['a', 'b', 'c'])
    await ask(api.url, ENDPOINTS, { json: { url: `https://example.com/${path}` } });

  const first = WebhookEndpointPageDto.create((await ask(api.url, `${ENDPOINTS}?limit=2`)).body);
  const second = WebhookEndpointPageDto.create(
    (await ask(api.url, `${ENDPOINTS}?limit=100&cursor=${first.next_cursor ?? ''}`)).body,
  );

  const ids = [...first.data, ...second.data].map((endpoint) => endpoint.id);
  expect(first.data.length).toBe(2);
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  expect(second.has_more).toBe(false);
});

const URL_WORDS = 'must be an http or https URL';
it.each<[string, object, string, string]>([
  ['no URL', {}, 'url', URL_WORDS],
  ['no URL but text', { url: 'example.com' }, 'url', URL_WORDS],
  ['another protocol', { url: 'ftp://example.com' }, 'url', URL_WORDS],
  ['a script', { url: 'javascript:alert(1)' }, 'url', URL_WORDS],
  [
    'a long URL',
    { url: `https://example.com/${'x'.repeat(2_048)}` },
    'url',
    'must be at most 2048 characters',
  ],
  [
    'a password',
    { url: 'https://user:s3cret@example.com/' },
    'url',
    'must not hold a user or password: requests are signed',
  ],
  ['no events', { url: 'https://example.com', events: [] }, 'events', 'must not be empty'],
  [
    'an unknown event',
    { url: 'https://example.com', events: ['execution.began'] },
    'events/0',
    `must be one of ${WEBHOOK_EVENT_TYPES.join(', ')}`,
  ],
  ['a secret of its own', { url: 'https://example.com', secret: 'x' }, 'secret', 'is not a known field'],
])('an endpoint with %s is refused', async (_name, json, field, words) => {
  const answer = await ask(api.url, ENDPOINTS, { json });

  const detail = `${field.replace('/', '.')}: ${words}`;
  expectProblem(answer, { status: 400, code: 'VALIDATION_ERROR', detail, places: [`pointer #/${field}`] });
  expect(answer.text).not.toContain('s3cret');
});
