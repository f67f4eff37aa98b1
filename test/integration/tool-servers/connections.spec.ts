import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ConnectionGrantStore, ConnectionStore } from '#libs/persistence';
import { ToolServerFailure } from '#libs/tooling';
import { resealSecrets } from '../../../apps/migrate/src/reseal-secrets.js';
import { dumpDatabase } from '../../support/services/everything-stored.js';
import { ask } from '../api/http-client.js';
import { CANARY, ConnectionsWorld, ENCRYPTION_KEY } from './connections-world.js';

const signal = new AbortController().signal;
const NEEDED = /the user on whose behalf it is called has to connect/;
let world: ConnectionsWorld;
let server: string;

beforeAll(async () => {
  world = await ConnectionsWorld.open();
}, 60_000);
beforeEach(async () => {
  const { authorization, served, api } = world;
  await api.dataSource.query('DELETE FROM tool_server');
  authorization.forgetAll();
  Object.assign(authorization, { expiresIn: 3_600, tokenAnswer: null, metadata: {}, rotates: true });
  authorization.beforeTokenAnswer = () => Promise.resolve();
  authorization.tokenRequests.length = 0;
  authorization.revoked.length = 0;
  Object.assign(served, { neededScope: '', resource: {} });
  served.seen.length = 0;
  server = await world.makeServer();
});
afterAll(() => world.close());

const statusOf = async (id: unknown): Promise<Record<string, unknown>> =>
  (await ask(world.api.url, `/api/connections/${String(id)}/`)).body;

const tokensOf = (user: string) => world.tokensOf(server, user);
const age = () => world.age();

describe('connecting a user', () => {
  it('has tools called on their behalf, with nothing of it shown or stored open', async () => {
    const begun = await world.begin(server);
    expect(begun).toMatchObject({ status: 201, body: { status: 'pending', user_id: 'mara' } });
    const asked = new URL(String(begun.body.authorize_url)).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      ...{ response_type: 'code', client_id: 'us', code_challenge_method: 'S256' },
      resource: `${world.served.origin}/mcp`,
    });
    const answer = await world.consent(begun);
    const connected = await world.callback({ ...answer, user_id: 'mara' });
    expect(connected).toMatchObject({ status: 200, body: { id: begun.body.id, status: 'connected' } });
    expect(await world.call('mara')).toEqual(['succeeded', '5']);
    expect(world.served.seen.at(-1)).toBe(world.authorization.issued.at(-2));

    const listed = await ask(world.api.url, `/api/connections/?user_id=mara&status=connected`);
    expect(listed.body).toMatchObject({ data: [{ id: begun.body.id }] });
    const shown = [begun.text.replace(String(begun.body.authorize_url), ''), connected.text, listed.text];
    const seen = [await dumpDatabase(world.database.url), ...shown, ...world.api.log].join('\n');
    for (const secret of [...world.authorization.issued, CANARY, answer['code'], answer['state']])
      expect(seen).not.toContain(secret);
  });

  it('registers the tenant where it is not known, once, and goes by what that was', async () => {
    const clients = {
      client_auth: 'registered',
      client_id: undefined,
      client_secret: undefined,
      issuer: undefined,
    };
    const other = await world.makeServer(clients, 'other');
    const known = world.authorization.clients.size;
    expect((await world.connect(other)).body.status).toBe('connected');
    expect((await world.connect(other, 'noa')).body.status).toBe('connected');
    expect(world.authorization.clients.size).toBe(known + 1);
    expect(await world.call('mara', 'other')).toEqual(['succeeded', '5']);
    await ask(world.api.url, `/api/mcp-servers/${other}/`, { method: 'DELETE' });
  });

  it('gives every user their own, and nobody that of another', async () => {
    await world.connect(server, 'mara');
    await world.connect(server, 'noa');
    expect(await world.call('mara')).toEqual(['succeeded', '5']);
    const ofMara = new Set(world.served.seen.splice(0));
    expect(await world.call('noa')).toEqual(['succeeded', '5']);
    expect(world.served.seen.some((token) => ofMara.has(token))).toBe(false);
    expect(await world.call('kim')).toEqual(['refused', expect.stringMatching(NEEDED)]);
    expect(await world.call(undefined)).toEqual(['refused', expect.stringContaining('names no executor')]);
  });

  it('uses no connection for another place that the server is pointed at later', async () => {
    await world.connect(server);
    const config = {
      url: world.served.origin.replace('127.0.0.1', 'localhost') + '/mcp',
      auth: {
        ...{ type: 'oauth', grant: 'authorization_code', issuer: world.authorization.origin },
        ...{ redirect_uri: 'https://app.example.com/', client_auth: 'none', client_id: 'us' },
      },
    };
    const changed = await ask(world.api.url, `/api/mcp-servers/${server}/`, {
      method: 'PATCH',
      json: { config },
    });
    expect(changed.status).toBe(200);
    world.served.seen.length = 0;
    expect(await world.call('mara')).toEqual(['refused', expect.stringMatching(NEEDED)]);
    expect(world.served.seen).toEqual([]);
  });
});

describe('an answer of an authorization server', () => {
  it('is taken once', async () => {
    const answer = await world.consent(await world.begin(server));
    const both = await Promise.all([world.callback(answer), world.callback(answer)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(await world.callback(answer)).toMatchObject({
      status: 422,
      body: { code: 'CONNECTION_STATE_UNKNOWN' },
    });
    expect(world.authorization.tokenRequests).toHaveLength(1);
  });

  it('is not taken from another tenant, too late, or for a try that a newer one has replaced', async () => {
    const store = new ConnectionStore(world.api.dataSource);
    const answer = await world.consent(await world.begin(server));
    const hash = createHash('sha256').update(String(answer['state'])).digest('hex');
    expect(await store.takeState('another', hash)).toBeNull();
    await world.api.dataSource.query(`UPDATE connection SET attempt_expires_at = now()`);
    expect((await world.callback(answer)).body.code).toBe('CONNECTION_STATE_UNKNOWN');

    const older = await world.consent(await world.begin(server));
    const newer = await world.consent(await world.begin(server));
    expect((await world.callback(older)).body.code).toBe('CONNECTION_STATE_UNKNOWN');
    expect((await world.callback(newer)).status).toBe(200);
  });

  it.each<[string, (answer: Record<string, string>) => object, string]>([
    [
      'of another one',
      (answer) => ({ ...answer, iss: 'https://evil.example' }),
      'another authorization server',
    ],
    ['that does not say whose it is', ({ iss: _iss, ...answer }) => answer, 'another authorization server'],
    ['with another user', (answer) => ({ ...answer, user_id: 'eve' }), 'another user'],
    ['with a code that is none', (answer) => ({ ...answer, code: 'forged' }), 'invalid_grant'],
    ['that refuses', ({ state, iss }) => ({ state, iss, error: 'access_denied' }), 'answered access_denied'],
    [
      'with a text',
      ({ state, iss }) => ({ state, iss, error: '<b>sk</b>' }),
      'the authorization server refused',
    ],
  ])('%s connects nobody', async (_name, forge, words) => {
    const begun = await world.begin(server);
    const answer = await world.consent(begun);
    const refused = await world.callback(forge(answer));
    expect(refused).toMatchObject({ status: 422, body: { code: 'CONNECTION_FAILED' } });
    expect(refused.text).toContain(words);
    expect(refused.text).not.toContain(CANARY);
    // And it was the only try.
    expect((await world.callback(answer)).body.code).toBe('CONNECTION_STATE_UNKNOWN');
    expect((await statusOf(begun.body.id))['status']).toBe('pending');
  });

  it.each<[string, object, string]>([
    ['names itself as another one', { issuer: 'https://honest.example' }, 'names itself otherwise'],
    ['takes no PKCE', { code_challenge_methods_supported: ['plain'] }, 'does not speak OAuth as it should'],
    [
      'leads to no web page',
      { authorization_endpoint: 'javascript:alert(1)' },
      'does not speak OAuth as it should',
    ],
  ])('an authorization server that %s is not gone to', async (_name, metadata, words) => {
    world.authorization.metadata = metadata as Record<string, unknown>;
    const begun = await world.begin(server);
    expect(begun).toMatchObject({ status: 422, body: { code: 'CONNECTION_FAILED' } });
    expect(begun.text).toContain(words);
  });

  it('a server of the tenant that takes no connections is named as the fault', async () => {
    const { status, body } = await world.begin('01980a5e-7c1f-7d3a-9c55-2f6f0b6a4e99');
    expect([status, body.errors]).toMatchObject([400, [{ pointer: '#/server_id' }]]);
  });
});

describe('the tokens of a connection', () => {
  it('are renewed before their end, by one process of all', async () => {
    await world.connect(server);
    await age();
    const others = await Promise.all([tokensOf('mara'), tokensOf('mara'), tokensOf('mara')]);
    const tokens = await Promise.all(others.map((other) => other.tokens.current(signal)));
    expect(new Set(tokens).size).toBe(1);
    expect(world.authorization.scopeOf(tokens[0] ?? '')).not.toBeNull();
    const grants = world.authorization.tokenRequests.map(({ params }) => params['grant_type']);
    expect(grants).toEqual(['authorization_code', 'refresh_token']);
    expect(await world.call('mara')).toEqual(['succeeded', '5']);
    for (const { close } of others) await close();
  });

  it('are renewed where the server takes them no more, in the middle of a call', async () => {
    await world.connect(server);
    world.authorization.expire(world.authorization.issued.at(-2) ?? '');
    expect(await world.call('mara')).toEqual(['succeeded', '5']);
  });

  it('are of no use any more where the authorization server refuses: the user has to connect again', async () => {
    const { body } = await world.connect(server);
    world.authorization.forgetAll();
    expect(await world.call('mara')).toEqual(['refused', expect.stringMatching(NEEDED)]);
    expect(await statusOf(body.id)).toMatchObject({ status: 'needs_reconnect', reason: 'refused' });
    expect((await world.connect(server)).body).toMatchObject({
      id: body.id,
      status: 'connected',
      reason: null,
    });
    expect(await world.call('mara')).toEqual(['succeeded', '5']);
  });

  it('stay where the authorization server is only away', async () => {
    const { body } = await world.connect(server);
    await age();
    world.authorization.tokenAnswer = [503, {}];
    const { tokens, close } = await tokensOf('mara');
    await expect(tokens.current(signal)).rejects.toMatchObject({ fault: 'unreachable' });
    expect(await statusOf(body.id)).toMatchObject({ status: 'connected' });
    world.authorization.tokenAnswer = null;
    expect(world.authorization.scopeOf(await tokens.current(signal))).not.toBeNull();
    await close();
  });

  it('are lost with a process that dies between asking for them and keeping them, and that is said', async () => {
    const { body } = await world.connect(server);
    const grants = new ConnectionGrantStore(world.api.dataSource);
    const id = String(body.id);
    // What a process does until it dies: it has the lease, and the refresh token has been used.
    await grants.beginRefresh(id, '00000000-0000-4000-8000-000000000009');
    const { tokens, close } = await tokensOf('mara');
    await age();
    const waiting = tokens.current(AbortSignal.timeout(400));
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
    world.authorization.forgetAll();
    await world.api.dataSource.query(`UPDATE connection SET refresh_until = now()`);
    await expect(tokens.current(signal)).rejects.toBeInstanceOf(ToolServerFailure);
    expect(await statusOf(id)).toMatchObject({ status: 'needs_reconnect', reason: 'refresh_lost' });
    await close();
  });

  it('ask for more when the user connects again, where the server wanted more', async () => {
    const { body } = await world.connect(server);
    world.served.neededScope = 'crm:write';
    expect((await world.call('mara'))[1]).toMatch(/wants more than the user has agreed to/);
    expect(await statusOf(body.id)).toMatchObject({ status: 'connected', missing_scope: 'crm:write' });
    expect((await world.connect(server)).body).toMatchObject({ scope: 'crm:write', missing_scope: null });
    expect(await world.call('mara')).toEqual(['succeeded', '5']);
  });

  it('are sealed anew with a new key', async () => {
    await world.connect(server);
    await world.begin(server);
    const next = `k2:${Buffer.alloc(32, 8).toString('base64')}`;
    expect(await resealSecrets(world.database.url, `${next},${ENCRYPTION_KEY}`)).toBe(3);
    expect(await resealSecrets(world.database.url, next)).toBe(0);
    await resealSecrets(world.database.url, `${ENCRYPTION_KEY},${next}`);
    expect(await world.call('mara')).toEqual(['succeeded', '5']);
  });
});

describe('taking a connection back', () => {
  it('ends its use at once, here and at the authorization server', async () => {
    const { body } = await world.connect(server);
    const { tokens, close } = await tokensOf('mara');
    const inUse = await tokens.current(signal);
    const revoked = await ask(world.api.url, `/api/connections/${String(body.id)}/revoke/`, { json: {} });
    expect(revoked).toMatchObject({ status: 200, body: { status: 'revoked' } });
    expect(world.authorization.scopeOf(inUse)).toBeNull();
    expect(world.authorization.revoked).toHaveLength(2);
    await expect(tokens.current(signal)).rejects.toMatchObject({ fault: 'connection_needed' });
    const [row] = await world.api.dataSource.query<object[]>(
      'SELECT grant_sealed, attempt_sealed FROM connection',
    );
    expect(row).toEqual({ grant_sealed: null, attempt_sealed: null });
    await close();
  });

  it('wins over a renewal that is under way, of which nothing is left', async () => {
    const { body } = await world.connect(server);
    await age();
    world.authorization.beforeTokenAnswer = async () => {
      await new ConnectionStore(world.api.dataSource).revoke(
        'default',
        String(body.id),
        '00000000-0000-4000-8000-000000000008',
      );
    };
    const { tokens, close } = await tokensOf('mara');
    await expect(tokens.current(signal)).rejects.toMatchObject({ fault: 'connection_needed' });
    expect(world.authorization.issued.every((token) => world.authorization.scopeOf(token) === null)).toBe(
      true,
    );
    expect(await statusOf(body.id)).toMatchObject({ status: 'revoked' });
    await close();
  });

  it('is part of deleting it, also where the authorization server is away', async () => {
    const { body } = await world.connect(server);
    world.authorization.metadata = { revocation_endpoint: 'http://127.0.0.1:1/revoke' };
    const at = `/api/connections/${String(body.id)}/`;
    expect((await ask(world.api.url, at, { method: 'DELETE' })).status).toBe(204);
    expect((await ask(world.api.url, at)).status).toBe(404);
    expect(await world.call('mara')).toEqual(['refused', expect.stringMatching(NEEDED)]);
  });
});
