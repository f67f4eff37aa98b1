import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formatApiKey, makeApiKey, SCOPES } from '#libs/persistence';
import {
  operationsOf,
  readOpenApiDocument,
  type Operation,
} from '../../../support/openapi/openapi-document.js';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { createKey as createStoredKey } from '../api-keys.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer, type RequestOptions } from '../http-client.js';

const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const NOT_VALID = { status: 401, code: 'UNAUTHENTICATED', detail: 'the API key is not valid' };
const EXECUTE = '/api/agents/1/execute/';
const UNKNOWN_ID = '0198c0de-0000-7000-8000-000000000001';

/** Operations by POST that only read, or let a browser read what its key may read. */
const CHANGES_NOTHING = new Set([
  'POST /api/agents/prompt-preview/',
  'POST /api/executions/{id}/stream-tokens/',
]);
/** Operations by any key, or without one. */
const NEEDS_NO_SCOPE = [
  'POST /api/console-sessions/',
  'GET /api/console-sessions/',
  'GET /api/console-sessions/current/',
  'DELETE /api/console-sessions/current/',
  'DELETE /api/console-sessions/{id}/',
  'GET /healthz',
  'GET /readyz',
];

let database: TestDatabase;
let api: RunningApi;
let owner: string;
let stranger: string;

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url, AUTH: 'api-key', ENCRYPTION_KEY });
  owner = await createKey('default', SCOPES);
  stranger = await createKey('stranger', SCOPES);
});

afterAll(async () => {
  await api.app.close();
  await database.drop();
});

function createKey(tenantId: string, scopes: readonly string[]): Promise<string> {
  return createStoredKey(api.dataSource, scopes, tenantId);
}

function askWith(key: string, path: string, options: RequestOptions = {}): Promise<Answer> {
  return ask(api.url, path, { ...options, headers: { ...options.headers, authorization: `Bearer ${key}` } });
}

describe('a request', () => {
  it('without a key is asked for one', async () => {
    const answer = await ask(api.url, '/api/agents/');

    const detail = 'an API key is required: Authorization: Bearer csk_…';
    expectProblem(answer, { status: 401, code: 'UNAUTHENTICATED', detail });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="capstan"');
  });

  it('with a key of all scopes acts for its tenant', async () => {
    expect((await askWith(owner, '/api/agents/')).status).toBe(200);
    expect((await askWith(owner, EXECUTE, { json: { input: 'x' } })).status).toBe(202);
  });

  it.each<[string, () => string]>([
    ['text that is no key', () => 'hello'],
    ['half a key', () => owner.slice(0, -1)],
    ['an unknown key', () => formatApiKey(makeApiKey())],
    ['the secret of another key', () => owner.slice(0, 20) + stranger.slice(20)],
    ['another secret', () => `${owner.slice(0, -1)}${owner.endsWith('A') ? 'E' : 'A'}`],
    ['SQL', () => "csk_'OR'1'='1_x"],
  ])('with %s is refused', async (_name, keyOf) => {
    const answer = await askWith(keyOf(), '/api/agents/');

    expectProblem(answer, NOT_VALID);
    expect(answer.text).not.toContain(keyOf());
  });

  it('with another scheme is asked for a key', async () => {
    const answer = await ask(api.url, '/api/agents/', { headers: { authorization: 'Basic dXNlcjpwYXNz' } });

    expect(answer.status).toBe(401);
  });

  it('with a revoked key is refused at once', async () => {
    const key = await createKey('default', SCOPES);
    expect((await askWith(key, '/api/agents/')).status).toBe(200);

    await api.dataSource.query('UPDATE api_key SET revoked_at = now() WHERE id = $1', [key.split('_')[1]]);

    expectProblem(await askWith(key, '/api/agents/'), NOT_VALID);
  });

  it('is refused before its body is judged', async () => {
    expectProblem(await askWith('hello', EXECUTE, { json: { nonsense: true } }), NOT_VALID);
  });
});

describe('every operation', () => {
  const operations = operationsOf(readOpenApiDocument());
  const changes = ({ method, name }: Operation): boolean => method !== 'GET' && !CHANGES_NOTHING.has(name);

  it('needs another scope than one to read where it changes something', () => {
    const readable = operations.filter(
      (operation) => changes(operation) && operation.scope?.endsWith(':read'),
    );
    expect(readable.map(({ name, scope }) => [name, scope])).toEqual([]);
  });

  it('needs a scope, except those about sign-ins and for operators', () => {
    const free = operations.filter(({ scope }) => scope === null).map(({ name }) => name);
    expect(free).toEqual(NEEDS_NO_SCOPE);
  });

  it.each(SCOPES.map((scope) => [scope]))(
    'refuses a key without the scope %s where it needs that',
    async (scope) => {
      const lacking = await createKey(
        'default',
        SCOPES.filter((other) => other !== scope),
      );
      const guarded = operations.filter((operation) => operation.scope === scope);
      expect(guarded.length).toBeGreaterThan(0);

      for (const { name, method, path } of guarded) {
        const answer = await askWith(lacking, path.replaceAll(/\{\w+\}/g, '1'), { method });

        const detail = `the API key lacks the scope "${scope}"`;
        expect([name, answer.status, answer.body.detail]).toEqual([name, 403, detail]);
        expectProblem(answer, { status: 403, code: 'INSUFFICIENT_SCOPE', detail });
        expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
      }
    },
  );

  it('hides the audit of calls from keys that may only follow executions (S2-33)', async () => {
    const follower = await createKey('default', ['executions:read']);
    const { body } = await askWith(owner, EXECUTE, { json: { input: 'x' } });
    const path = `/api/executions/${String(body.id)}/`;

    expect((await askWith(follower, path)).status).toBe(200);
    expect((await askWith(follower, `${path}steps/`)).status).toBe(403);
    expect((await askWith(owner, `${path}steps/`)).status).toBe(200);
  });

  it('keeps the key by which a decision was taken', async () => {
    const { body } = await askWith(owner, EXECUTE, { json: { input: 'x' } });
    const calls = [{ call: '1.0', asks: 'approval', tool_name: 'charge', tool_input: {} }];
    await api.dataSource.query(
      `UPDATE execution SET status = 'requires_action', pending_calls = $2, approval_expires_at = now() + interval '1 hour'
        WHERE id = $1`,
      [body.id, JSON.stringify(calls)],
    );
    const clerk = await createKey('default', ['approvals:decide']);
    const json = { person: 'ann', decisions: [{ call: '1.0', approved: true }] };
    const { status } = await askWith(clerk, `/api/executions/${String(body.id)}/approvals/`, { json });
    const facts = await api.dataSource.query<{ data: object }[]>(
      `SELECT data FROM journal_entry WHERE execution_id = $1`,
      [body.id],
    );
    const by = { keyId: clerk.split('_')[1], person: 'ann' };
    expect([status, facts]).toMatchObject([200, [{ data: { approved: true, by } }]]);
  });

  it('needs a key, except those for operators and documents of the service', async () => {
    const { body } = await askWith(owner, '/openapi.json');
    const paths = Object.entries(body.paths as Record<string, object>);
    const open: string[] = [];

    for (const [template, operations] of paths) {
      const path = template.replaceAll('{id}', '1').replaceAll('{uuid}', UNKNOWN_ID);
      for (const method of Object.keys(operations)) {
        const { status } = await ask(api.url, path, { method: method.toUpperCase() });
        if (status !== 401) open.push(`${method} ${template} ${status}`);
      }
    }

    expect(paths.length).toBeGreaterThan(10);
    expect(open).toEqual(['post /api/console-sessions/ 400', 'get /healthz 200', 'get /readyz 200']);
  });
});

describe('resources of another tenant', () => {
  it('is not found by any id', async () => {
    const execution = (await askWith(owner, EXECUTE, { json: { input: 'x' } })).body;
    const hook = await askWith(owner, '/api/webhook-endpoints/', { json: { url: 'https://example.com/' } });
    const [order] = await api.dataSource.query<[{ id: number }]>(
      `INSERT INTO order_entry.order_request (tenant_id, execution_id, payload) VALUES ('default', $1, '{"items": [], "isSaved": false}') RETURNING id`,
      [execution.id],
    );
    const ids = {
      execution: String(execution.id),
      session: String(execution.session_uuid),
      hook: String(hook.body.id),
    };
    const requests: [string, RequestOptions][] = [
      ['/api/agents/1/', {}],
      ['/api/agents/1/', { method: 'DELETE' }],
      ['/api/agents/1/', { method: 'PATCH', json: { name: 'mine' } }],
      ['/api/agents/1/', { method: 'PUT', json: { name: 'mine', usecase_type: 'BASIC_CHAT', llm: 1 } }],
      [EXECUTE, { json: { input: 'x' } }],
      [`/api/executions/${ids.execution}/`, {}],
      [`/api/executions/${ids.execution}/events/`, {}],
      [`/api/executions/${ids.execution}/steps/`, {}],
      [`/api/executions/${ids.execution}/timeline/`, {}],
      [`/api/sessions/${ids.session}/messages/`, {}],
      [`/api/agents/1/sessions/${ids.session}/messages/`, {}],
      [`/api/order-requests/${order.id}/`, {}],
      [`/api/webhook-endpoints/${ids.hook}/`, {}],
      [`/api/webhook-endpoints/${ids.hook}/`, { method: 'DELETE' }],
      [`/api/webhook-endpoints/${ids.hook}/`, { method: 'PATCH', json: { is_active: false } }],
      [`/api/webhook-endpoints/${ids.hook}/rotate-secret/`, { method: 'POST' }],
    ];

    for (const [path, options] of requests) {
      const { status, body } = await askWith(stranger, path, options);
      expect([path, status, body.code]).toEqual([path, 404, 'NOT_FOUND']);
    }
    expect((await askWith(owner, `/api/webhook-endpoints/${ids.hook}/`)).status).toBe(200);
    expect((await askWith(owner, `/api/order-requests/${order.id}/`)).status).toBe(200);
  });

  it('is in no list, and its model configurations cannot be used', async () => {
    await askWith(owner, EXECUTE, { json: { input: 'x' } });

    expect(JSON.parse((await askWith(stranger, '/api/agents/')).text)).toEqual([]);
    expect((await askWith(stranger, '/api/executions/')).body).toMatchObject({ data: [] });
    expect((await askWith(stranger, '/api/webhook-endpoints/')).body).toMatchObject({ data: [] });
    const agent = { name: 'mine', usecase_type: 'BASIC_CHAT', llm: 1 };
    expect((await askWith(stranger, '/api/agents/', { json: agent })).status).toBe(400);
  });

  it('has idempotency keys of its own', async () => {
    await api.dataSource.query(
      `WITH model AS (INSERT INTO llm (tenant_id, name, provider, model) VALUES ('stranger', 'm', 'openai', 'm') RETURNING id)
       INSERT INTO agent (id, tenant_id, name, usecase_type, llm_id) SELECT 500, 'stranger', 'a', 'BASIC_CHAT', id FROM model`,
    );
    const request = { json: { input: 'x' }, headers: { 'idempotency-key': 'same' } };

    const mine = await askWith(owner, EXECUTE, request);
    const theirs = await askWith(stranger, '/api/agents/500/execute/', request);

    expect([mine.status, theirs.status]).toEqual([202, 202]);
    expect(theirs.body.id).not.toBe(mine.body.id);
  });
});

it('no key is ever in the log', async () => {
  await askWith(owner, '/api/agents/?limit=1', { headers: { 'x-request-id': 'seen-in-the-log' } });
  await askWith('csk_malformed_s3cret', '/api/agents/?api_key=s3cret');

  const log = api.log.join('');

  expect(log).toContain('seen-in-the-log');
  expect(log).not.toContain(owner);
  expect(log).not.toContain('s3cret');
  expect(log.toLowerCase()).not.toContain('bearer');
});
