import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPES } from '#libs/persistence';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { createKey } from '../api-keys.js';
import { ask, type Answer, type RequestOptions } from '../http-client.js';

const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const PAGE = 'https://app.example.com';

let database: TestDatabase;
let api: RunningApi;
let key: string;
let site: string;

beforeAll(async () => {
  database = await createSeededDatabase();
  site = mkdtempSync(join(tmpdir(), 'site-'));
  mkdirSync(join(site, 'api'));
  writeFileSync(join(site, 'api', 'index.html'), '<!doctype html>');
  const env = {
    ...{ DATABASE_URL: database.url, AUTH: 'api-key', ENCRYPTION_KEY },
    CORS_ORIGINS: `${PAGE},http://localhost:5173`,
  };
  api = await startApi(env, { siteFolder: site });
  key = await createKey(api.dataSource, SCOPES);
});
afterAll(async () => {
  await api.app.close();
  rmSync(site, { recursive: true, force: true });
  await database.drop();
});

const askWith = (path: string, options: RequestOptions = {}): Promise<Answer> =>
  ask(api.url, path, { ...options, headers: { ...options.headers, authorization: `Bearer ${key}` } });
const headersOf = ({ headers }: Answer, ...names: string[]): (string | null)[] =>
  names.map((name) => headers.get(name));

describe('a browser', () => {
  it.each([
    ['an answer', '/api/agents/', 200],
    ['a refusal', '/api/agents/0/', 400],
    ['a path that is nowhere', '/nowhere', 404],
    ['a probe', '/healthz', 200],
  ])('%s is data: no script, no frame, no guess of its type', async (_name, path, status) => {
    const answer = await askWith(path);

    expect(answer.status).toBe(status);
    expect(headersOf(answer, 'x-content-type-options', 'x-frame-options', 'referrer-policy')).toEqual([
      ...['nosniff', 'DENY', 'no-referrer'],
    ]);
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none';frame-ancestors 'none';base-uri 'none'",
    );
  });
});

describe('the documents', () => {
  const basic = (user: string, password: string): Record<string, string> => ({
    authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
  });

  it.each(['/docs/api/', '/openapi.json'])(
    '%s wants any key: as a bearer token, or as the password that a browser asks for',
    async (path) => {
      const few = await createKey(api.dataSource, []);
      const open = await ask(api.url, path);
      expect(open).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
      expect(open.headers.get('www-authenticate')).toMatch(/^Basic realm="[^"]+", Bearer realm="capstan"$/);
      expect((await ask(api.url, path, { headers: basic('me', `${few}x`) })).status).toBe(401);

      expect((await ask(api.url, path, { headers: basic('me', few) })).status).toBe(200);
      expect((await askWith(path)).status).toBe(200);
    },
  );

  it('a password opens nothing else', async () => {
    const answer = await ask(api.url, '/api/agents/', { headers: basic('me', key) });

    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="capstan"');
  });
});

describe('pages of other origins', () => {
  const preflight = (origin: string): Promise<Answer> =>
    ask(api.url, '/api/agents/1/execute/', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });

  it.each([PAGE, 'http://localhost:5173'])('may call from %s, which is named', async (origin) => {
    const asked = await preflight(origin);
    expect(asked.status).toBe(204);
    expect(headersOf(asked, 'access-control-allow-origin', 'access-control-max-age')).toEqual([
      origin,
      '600',
    ]);
    expect(asked.headers.get('access-control-allow-headers')).toContain('Authorization');
    expect(asked.headers.get('access-control-allow-credentials')).toBe(null);

    for (const answer of [
      await askWith('/api/agents/', { headers: { origin } }),
      await ask(api.url, '/api/agents/', { headers: { origin } }),
    ]) {
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      expect(answer.headers.get('access-control-expose-headers')).toContain('Location');
      expect(answer.headers.get('vary')).toContain('Origin');
    }
  });

  it.each(['https://other.example.com', `${PAGE}.evil.com`, 'null', `${PAGE}:444`])(
    'may not call from %s',
    async (origin) => {
      const answers = [await preflight(origin), await askWith('/api/agents/', { headers: { origin } })];

      for (const { headers } of answers) expect(headers.get('access-control-allow-origin')).toBe(null);
    },
  );

  it('may not call at all unless some are named', async () => {
    const closed = await startApi({ DATABASE_URL: database.url, AUTH: 'api-key' });
    try {
      const headers = { origin: PAGE, 'access-control-request-method': 'GET' };
      const asked = await ask(closed.url, '/api/agents/', { method: 'OPTIONS', headers });

      expect(asked.status).toBe(405);
      expect(asked.headers.get('access-control-allow-origin')).toBe(null);
    } finally {
      await closed.app.close();
    }
  });
});

describe('a long answer', () => {
  const fetchAs = async (
    path: string,
    encoding: string,
  ): Promise<{ encoding: unknown; bytes: Buffer; vary: unknown }> => {
    const { headers, body } = await request(new URL(path, api.url), {
      headers: { authorization: `Bearer ${key}`, 'accept-encoding': encoding },
    });
    const bytes = Buffer.from(await body.arrayBuffer());
    return { encoding: headers['content-encoding'], bytes, vary: headers['vary'] };
  };

  it('is compressed as the client takes it, and is the same then', async () => {
    const plain = await fetchAs('/openapi.json', 'identity');
    const [br, gzip] = [await fetchAs('/openapi.json', 'gzip, br'), await fetchAs('/openapi.json', 'gzip')];

    expect([plain.encoding, br.encoding, gzip.encoding]).toEqual([undefined, 'br', 'gzip']);
    expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).toBe(true);
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
    expect(br.vary).toContain('accept-encoding');
  });

  it('below the minimum length is sent uncompressed', async () => {
    expect((await fetchAs('/healthz', 'gzip')).encoding).toBe(undefined);
  });

  it('with events is never compressed, so that none waits in a buffer', async () => {
    const { body } = await askWith('/api/agents/1/execute/', { json: { input: 'x'.repeat(10_000) } });
    const events = await request(new URL(`/api/executions/${String(body.id)}/events/`, api.url), {
      headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'br, gzip' },
    });

    expect(events.headers['content-type']).toContain('text/event-stream');
    expect(events.headers['content-encoding']).toBe(undefined);
    events.body.on('error', () => undefined).destroy();
  });
});

describe('an unchanged answer', () => {
  const read = (path: string, tag: string): Promise<Answer> =>
    askWith(path, { headers: { 'if-none-match': tag } });

  it('is not sent again: a version by its number, everything else by its content', async () => {
    const { body } = await askWith('/api/agents/1/execute/', { json: { input: 'x' } });
    for (const path of ['/api/agents/1/', `/api/executions/${String(body.id)}/`]) {
      const first = await askWith(path);
      const tag = String(first.headers.get('etag'));
      expect(tag).toMatch(path.includes('agents') ? /^"\d+"$/ : /^W\/"[\w-]{22}"$/);

      for (const named of [tag, `"other", ${tag}`, '*', tag.replace('W/', '')]) {
        const again = await read(path, named);
        expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag]);
        expect(again.headers.get('content-type')).toBe(null);
      }
      for (const named of ['"other"', 'W/"other"', 'no tag'])
        expect(await read(path, named)).toMatchObject({ status: 200, text: first.text });
    }

    await askWith(`/api/executions/${String(body.id)}/cancel/`, { method: 'POST' });
    const tag = String((await askWith(`/api/executions/${String(body.id)}/`)).headers.get('etag'));
    expect(tag).not.toBe((await askWith('/api/agents/1/')).headers.get('etag'));
  });

  it('is no matter of refusals and of what changes things', async () => {
    expect((await read('/api/agents/999/', '*')).status).toBe(404);
    const made = await askWith('/api/skills/', {
      json: { name: 'fold', description: 'd', content: 'c' },
      headers: { 'if-none-match': '*' },
    });
    expect(made.status).toBe(201);
  });

  it('may be cached by the client only', async () => {
    expect((await askWith('/api/agents/1/')).headers.get('cache-control')).toBe('private, no-cache');
  });
});

describe('a new resource', () => {
  it.each<[string, object]>([
    ['/api/skills/', { name: 'sort', description: 'd', content: 'c' }],
    ['/api/agents/', { name: 'a', usecase_type: 'BASIC_CHAT', llm: 1 }],
    ['/api/llms/', { name: 'm', model: 'x', credentials: { openai_api_key: 'sk-1234567890' } }],
    ['/api/tenants/', { id: 'located' }],
    ['/api/webhook-endpoints/', { url: 'https://example.com/' }],
    ['/api/api-keys/', { name: 'k', scopes: ['agents:read'] }],
  ])('at %s can be read where Location says', async (path, json) => {
    const made = await askWith(path, { json });

    expect([made.status, made.text]).toEqual([201, expect.anything()]);
    expect(made.headers.get('location')).toBe(`${path}${String(made.body.id)}/`);
    const found = await askWith(String(made.headers.get('location')));
    expect(found).toMatchObject({ status: 200, body: { id: made.body.id } });
  });

  it('by an idempotency key is marked when it is not', async () => {
    const submit = (json: object): Promise<Answer> =>
      askWith('/api/agents/1/execute/', { json, headers: { 'idempotency-key': 'again' } });

    const [first, second] = [await submit({ input: 'x' }), await submit({ input: 'x' })];

    expect(second.body.id).toBe(first.body.id);
    expect([first, second].map((answer) => headersOf(answer, 'idempotency-replayed', 'location'))).toEqual([
      [null, `/api/executions/${String(first.body.id)}/`],
      ['true', `/api/executions/${String(first.body.id)}/`],
    ]);
    const other = await submit({ input: 'y' });
    expect([other.status, other.headers.get('idempotency-replayed')]).toEqual([422, null]);
  });
});
