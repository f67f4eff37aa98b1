import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseKeyring, SecretBox, toolServerPlace } from '#libs/secrets';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { RUNS_ALL } from '../../../support/selection.js';
import { HOSTILE_HOSTS } from '../../../support/hostile-addresses.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer } from '../http-client.js';

const KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const URL = 'https://crm.example.com/mcp';
const SERVER = {
  name: 'crm',
  type: 'http',
  config: { url: URL, headers_template: { Authorization: 'Bearer ${crm}' } },
};
const LITERAL = { url: URL, headers_template: { Authorization: 'Bearer sk-canary', 'X-User': '${user}' } };
const SHOWN = { url: URL, headers_template: { Authorization: null, 'X-User': '${user}' } };

let database: TestDatabase;
let api: RunningApi;

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: KEY,
    STDIO_SERVERS: '*: npx -y shop; other: uvx shop; default: node /srv/shop.mjs *',
    PRIVATE_TOOL_HOSTS: 'default:10.0.0.7:8443',
    LOG_LEVEL: 'debug',
  });
});
beforeEach(() => api.dataSource.query('DELETE FROM tool_server'));
afterAll(async () => {
  await api.app.close();
  await database.drop();
});

const make = (json: object = SERVER): Promise<Answer> => ask(api.url, '/api/mcp-servers/', { json });
const at = ({ body }: Answer): string => `/api/mcp-servers/${String(body.id)}/`;
const patch = (made: Answer, json: object): Promise<Answer> =>
  ask(api.url, at(made), { method: 'PATCH', json });

it('a server is made, read, replaced, changed and deleted, as the version that If-Match names', async () => {
  const made = await make();
  expect(made).toMatchObject({
    status: 201,
    body: { ...SERVER, status: 'active', tools: {}, limits: { timeout_ms: 30_000, concurrency: 8 } },
  });
  expect(made.headers.get('location')).toBe(at(made));
  expect((await ask(api.url, at(made))).body).toEqual(made.body);

  const json = { name: 'crm2', type: 'builtin', tools: { a: { effect: 'read', approval: true } } };
  const replaced = await ask(api.url, at(made), { method: 'PUT', json });
  expect(replaced).toMatchObject({ status: 200, body: { ...json, config: {} } });
  const patched = await patch(made, { status: 'inactive', limits: { concurrency: 2 } });
  expect(patched.body).toMatchObject({ ...json, status: 'inactive', limits: { concurrency: 2 } });
  expect([made, replaced, patched].map(({ headers }) => headers.get('etag'))).toEqual(['"1"', '"2"', '"3"']);

  const old = { method: 'DELETE', headers: { 'if-match': '"1"' } };
  expect((await ask(api.url, at(made), old)).status).toBe(412);
  expect((await ask(api.url, at(made), { ...old, method: 'PATCH', json: { config: {} } })).status).toBe(412);
  expect((await ask(api.url, at(made), { method: 'DELETE', headers: { 'if-match': '"3"' } })).status).toBe(
    204,
  );
  expect((await ask(api.url, at(made))).status).toBe(404);
  expect((await patch(made, { config: {} })).status).toBe(404);
});

it('servers are listed by status and type, in either order, in pages, without their documents', async () => {
  await make({ ...SERVER, name: 'a' });
  await make({
    name: 'b',
    type: 'openapi',
    config: { document: '{"openapi":"3.1.0","paths":{"/a":{"get":{}}},"canary":1}' },
  });
  await make({ ...SERVER, name: 'c', status: 'inactive' });
  const names = async (query: string): Promise<unknown> => {
    const { body } = await ask(api.url, `/api/mcp-servers/${query}`);
    return (body.data as { name: string }[]).map(({ name }) => name);
  };

  expect(await names('')).toEqual(['c', 'b', 'a']);
  expect(await names('?sort=created_at')).toEqual(['a', 'b', 'c']);
  expect(await names('?status=active')).toEqual(['b', 'a']);
  expect(await names('?type=http&sort=created_at')).toEqual(['a', 'c']);
  expect(await names('?to=2000-01-01')).toEqual([]);
  const first = await ask(api.url, '/api/mcp-servers/?limit=2');
  expect(await names(`?cursor=${String(first.body.next_cursor)}`)).toEqual(['a']);
  expect(first.text).not.toContain('canary');
  expect((await ask(api.url, '/api/mcp-servers/?type=pigeon')).status).toBe(400);
});

it('a name is one server of the tenant', async () => {
  const [, other] = [await make(), await make({ ...SERVER, name: 'other' })];
  const detail = 'Another tool server of the tenant has this name';
  const refusal = { status: 409, code: 'TOOL_SERVER_NAME_TAKEN', detail };
  expectProblem(await make(), refusal);
  expectProblem(await patch(other, { name: SERVER.name }), refusal);
});

it.each<[string, object, string]>([
  ['a name with a capital', { ...SERVER, name: 'Crm' }, '#/name'],
  ['a name with the separator', { ...SERVER, name: 'a__b' }, '#/name'],
  ['an unknown type', { ...SERVER, type: 'pigeon' }, '#/type'],
  ['no url', { ...SERVER, config: {} }, '#/config/url'],
  ['a url that is none', { ...SERVER, config: { url: 'crm' } }, '#/config/url'],
  ['a password in the url', { ...SERVER, config: { url: 'https://a:b@crm.example/' } }, '#/config/url'],
  [
    'half a placeholder',
    { ...SERVER, config: { url: URL, headers_template: { A: '${' } } },
    '#/config/headers_template/A',
  ],
  [
    'a header of its own',
    { ...SERVER, config: { url: URL, headers_template: { Host: 'a' } } },
    '#/config/headers_template/Host',
  ],
  ['an unknown field', { ...SERVER, config: { url: URL, x: 1 } }, '#/config/x'],
  ['an unknown grant', oauth({ grant: 'password' }), '#/config/auth/grant'],
  ['an unknown client', oauth({ client_auth: 'tls' }), '#/config/auth/client_auth'],
  ['a client without its secret', oauth({ client_secret: undefined }), '#/config/auth/client_secret'],
  ['a secret that keeps none', oauth({ client_secret: null }), '#/config/auth/client_secret'],
  ['an issuer with a query', oauth({ issuer: 'https://auth.example/?a' }), '#/config/auth/issuer'],
  ['a scope with a quote', oauth({ scope: 'a "b"' }), '#/config/auth/scope'],
  [
    'a key that is none',
    oauth({
      client_auth: 'private_key_jwt',
      client_secret: undefined,
      key_algorithm: 'RS256',
      private_key: 'a',
    }),
    '#/config/auth/private_key',
  ],
  [
    'two who fill a header',
    oauth({}, { headers_template: { AUTHORIZATION: '${a}' } }),
    '#/config/headers_template',
  ],
  [
    'tokens for wherever a document leads',
    { ...oauth({}, { url: undefined, document: '{"openapi":"3.1.0","paths":{}}' }), type: 'openapi' },
    '#/config/base_url',
  ],
  ['an unknown effect', { ...SERVER, tools: { a: { effect: 'none' } } }, '#/tools/a/effect'],
  ['no time', { ...SERVER, limits: { timeout_ms: 1 } }, '#/limits/timeout_ms'],
  [
    'a program that is not allowed',
    { name: 'a', type: 'stdio', config: { command: 'npx', args: ['-y', 'another'] } },
    '#/config/command',
  ],
  [
    'a command line of another tenant',
    { name: 'a', type: 'stdio', config: { command: 'uvx', args: ['shop'] } },
    '#/config/command',
  ],
  ['a path to a program', { name: 'a', type: 'stdio', config: { command: '/bin/sh' } }, '#/config/command'],
  [
    'nothing to keep',
    { ...SERVER, config: { url: URL, headers_template: { A: null } } },
    '#/config/headers_template/A',
  ],
  [
    'a document of 16 MiB and a byte',
    { name: 'a', type: 'openapi', config: { document: 'x'.repeat(16_777_217) } },
    '#/config/document',
  ],
  [
    'a document of no operation that can be called',
    { name: 'a', type: 'openapi', config: { document: 'openapi: 3.1.0\npaths: {/a: {get: 7}}' } },
    '#/config/document',
  ],
])('a server with %s is refused', async (_name, json, pointer) => {
  const { status, body } = await make(json);
  expect(status).toBe(400);
  expect(body.errors).toMatchObject([{ pointer }]);
});

it('takes a document of 16 MiB, a program that is allowed, and bodies of 1 MiB anywhere else', async () => {
  // 2 MiB exceed the limit of every other route; the maximum of 16 MiB costs half a minute of CPU.
  const bytes = RUNS_ALL ? 16_777_216 : 2_097_152;
  const [begin, end] = ['{"openapi":"3.1.0","paths":{"/a":{"get":{}}},"x":"', '"}'];
  const config = { document: begin + 'x'.repeat(bytes - begin.length - end.length) + end };
  expect((await make({ name: 'large', type: 'openapi', config })).status).toBe(201);
  expect(
    (await make({ name: 'local', type: 'stdio', config: { command: 'npx', args: ['-y', 'shop'] } })).status,
  ).toBe(201);
  const content = 'x'.repeat(1_100_000);
  expect((await ask(api.url, '/api/skills/', { json: { content } })).status).toBe(413);
});

describe('a text of a template without a placeholder', () => {
  it('is sealed, shown nowhere, and stays where null keeps it', async () => {
    const made = await make({ ...SERVER, config: LITERAL });
    expect(made.body.config).toEqual(SHOWN);
    const kept = await patch(made, { config: { ...SHOWN, url: `${URL}/v2` } });
    expect(kept).toMatchObject({ status: 200, body: { config: { ...SHOWN, url: `${URL}/v2` } } });

    const [row] = await api.dataSource.query<{ config: object; literals_sealed: string }[]>(
      'SELECT config, literals_sealed FROM tool_server',
    );
    const box = new SecretBox(parseKeyring(KEY));
    const place = toolServerPlace('default', String(made.body.id));
    expect(JSON.parse(box.open(row?.literals_sealed ?? '', place))).toEqual({
      headers_template: { Authorization: 'Bearer sk-canary' },
    });
    const seen = [JSON.stringify(row?.config), made.text, kept.text, ...api.log];
    seen.push((await ask(api.url, '/api/mcp-servers/')).text, (await ask(api.url, at(made))).text);
    expect(seen.filter((text) => text.includes('canary'))).toEqual([]);
  });

  it('never follows to another host', async () => {
    const made = await make({ ...SERVER, config: LITERAL });
    const { status, body } = await patch(made, { config: { ...SHOWN, url: 'https://evil.example/mcp' } });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ pointer: '#/config/headers_template/Authorization' }]);
    expect((await patch(made, { type: 'sse', config: SHOWN })).status).toBe(400);
    expect((await patch(made, { type: 'builtin' })).body.errors).toMatchObject([{ pointer: '#/config' }]);
  });

  it('goes with the configuration that it stood in', async () => {
    const made = await make({ ...SERVER, config: LITERAL });
    await patch(made, { config: SERVER.config });
    const rows: unknown = await api.dataSource.query('SELECT literals_sealed FROM tool_server');
    expect(rows).toEqual([{ literals_sealed: null }]);
  });
});

describe('an agent that is written', () => {
  const AGENT = { name: 'a', usecase_type: 'BASIC_CHAT', llm: 1, system_prompt: 'Be brief.', config: {} };
  const write = (servers: unknown, config: object = {}): Promise<Answer> =>
    ask(api.url, '/api/agents/', { json: { ...AGENT, config, tools: { servers } } });

  it.each<[unknown, string]>([
    [['crm'], '#/tools/servers/0'],
    ['*', '#/tools/servers'],
    [['*', 'mcp__erp__*'], '#/tools/servers/1'],
    [['mcp__crm__gone'], '#/tools/servers/0'],
  ])('with %j is refused', async (servers, pointer) => {
    const { body } = await make();
    const listing = `INSERT INTO tool_server_listing (server_id, tenant_id, server_version, tools) VALUES ($1, 'default', 1, $2)`;
    await api.dataSource.query(listing, [body.id, '[{"name":"mcp__crm__find"}]']);
    const answer = await write(servers);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ pointer }]);
    expect((await write(['*', 'mcp__crm__find', 'mcp__crm__*'])).status).toBe(201);
  });

  it('may name a tool before any probe, and have it wait for a person', async () => {
    await make();
    expect((await write(['mcp__crm__any'], { require_approval: ['mcp__crm__any'] })).status).toBe(201);
    const refused = await write([], { require_approval: ['mcp_crm'] });
    expect(refused.body.errors).toMatchObject([{ pointer: '#/config/require_approval/0' }]);
  });
});

describe('a server at a forbidden address', () => {
  const NOT_CALLED = 'the address may not be called';
  const remote = (url: string, type = 'http') => ({ name: 'crm', type, config: { url } });
  const document = JSON.stringify({ openapi: '3.1.0', info: { title: 'x', version: '1' }, paths: {} });
  const service = (base_url: string) => ({ name: 'crm', type: 'openapi', config: { document, base_url } });

  it.each(HOSTILE_HOSTS)('is not written: %s', async (host) => {
    for (const [given, pointer] of [
      [remote(`http://${host}:9/mcp`), '#/config/url'],
      [remote(`https://${host}/sse`, 'sse'), '#/config/url'],
      [service(`http://${host}/v1`), '#/config/base_url'],
      [oauth({ issuer: `http://${host}:8443` }), '#/config/auth/issuer'],
      [oauth({ issuer: `https://${host}/tenant` }), '#/config/auth/issuer'],
    ] as const) {
      const refused = await make(given);
      expect(refused.status).toBe(400);
      expect(refused.body['errors']).toEqual([{ pointer, detail: NOT_CALLED }]);
    }
  });

  it('does not come to be by a change', async () => {
    const made = await make();
    const changed = await patch(made, { config: { url: 'http://[::ffff:10.0.0.7]/mcp' } });
    expect([changed.status, changed.body['code']]).toEqual([400, 'VALIDATION_ERROR']);
    const replaced = { ...remote('http://169.254.169.254/'), name: 'crm' };
    expect((await ask(api.url, at(made), { method: 'PUT', json: replaced })).status).toBe(400);
    expect((await patch(made, oauth({ issuer: 'https://[fd00:ec2::254]' }))).status).toBe(400);
    expect((await ask(api.url, at(made))).body).toEqual(made.body);
  });

  it('may be where its operator says so, for this tenant, host and port', async () => {
    expect((await make(remote('http://10.0.0.7:8443/mcp'))).status).toBe(201);
    expect((await make({ ...remote('http://10.0.0.7:8444/mcp'), name: 'other' })).status).toBe(400);
    expect((await make({ ...oauth({ issuer: 'http://10.0.0.7:8443' }), name: 'third' })).status).toBe(201);
  });
});
/** A server with OAuth client credentials, changed by `auth` and `config`. */
function oauth(auth: object, config: object = {}) {
  const known = { type: 'oauth', grant: 'client_credentials', issuer: 'https://auth.example' };
  const client = { client_auth: 'client_secret_post', client_id: 'us', client_secret: 'sk-secret' };
  return { ...SERVER, config: { url: URL, ...config, auth: { ...known, ...client, ...auth } } };
}
