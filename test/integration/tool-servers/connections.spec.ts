import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ConnectionStore } from '#libs/persistence';
import { dumpDatabase } from '../../support/services/everything-stored.js';
import { ask } from '../api/http-client.js';
import { CANARY, ConnectionsWorld, NEEDED } from './connections-world.js';

let world: ConnectionsWorld;
let server: string;

beforeAll(async () => {
  world = await ConnectionsWorld.open();
});
beforeEach(async () => {
  server = await world.reset();
});
afterAll(() => world.close());

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

  it('gives every user a connection of their own only', async () => {
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

  it('is awaited for ten minutes; the connection is deleted a day later', async () => {
    const store = new ConnectionStore(world.api.dataSource);
    const expireAttempts = async (ago: string) => {
      const sql = `UPDATE connection SET attempt_expires_at = now() - $1::interval`;
      await world.api.dataSource.query(sql, [ago]);
      return store.expire();
    };
    const { id, updated_at } = (await world.begin(server)).body;
    expect(await expireAttempts('-1 second')).toBe(0);
    expect(await expireAttempts('1 second')).toBe(1);
    expect(await expireAttempts('1 second')).toBe(0);
    const kept = await ask(world.api.url, `/api/connections/${String(id)}/`);
    expect(kept.body).toMatchObject({ status: 'pending', updated_at });
    expect(await expireAttempts('25 hours')).toBe(1);
    expect((await ask(world.api.url, `/api/connections/${String(id)}/`)).status).toBe(404);
  });

  it.each<[string, (answer: Record<string, string>) => object, string]>([
    [
      'from another authorization server',
      (answer) => ({ ...answer, iss: 'https://evil.example' }),
      'another authorization server',
    ],
    ['without its issuer', ({ iss: _iss, ...answer }) => answer, 'another authorization server'],
    ['with another user', (answer) => ({ ...answer, user_id: 'eve' }), 'another user'],
    ['with a code that is none', (answer) => ({ ...answer, code: 'forged' }), 'invalid_grant'],
    [
      'with a refusal',
      ({ state, iss }) => ({ state, iss, error: 'access_denied' }),
      'answered access_denied',
    ],
    [
      'with a text',
      ({ state, iss }) => ({ state, iss, error: '<b>sk</b>' }),
      'the authorization server refused',
    ],
  ])('%s connects no user', async (_name, forge, words) => {
    const begun = await world.begin(server);
    const answer = await world.consent(begun);
    const refused = await world.callback(forge(answer));
    expect(refused).toMatchObject({ status: 422, body: { code: 'CONNECTION_FAILED' } });
    expect(refused.text).toContain(words);
    expect(refused.text).not.toContain(CANARY);
    // A refused callback uses up the state of the connection.
    expect((await world.callback(answer)).body.code).toBe('CONNECTION_STATE_UNKNOWN');
    expect((await world.read(begun.body.id))['status']).toBe('pending');
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
