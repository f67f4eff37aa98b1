import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ConnectionGrantStore, ConnectionStore } from '#libs/persistence';
import { ToolServerFailure } from '#libs/tooling';
import { resealSecrets } from '../../../apps/migrate/src/reseal-secrets.js';
import { ask } from '../api/http-client.js';
import { ConnectionsWorld, ENCRYPTION_KEY, NEEDED } from './connections-world.js';

const signal = new AbortController().signal;
let world: ConnectionsWorld;
let server: string;

beforeAll(async () => {
  world = await ConnectionsWorld.open();
});
beforeEach(async () => {
  server = await world.reset();
});
afterAll(() => world.close());

const tokensOf = (user: string) => world.tokensOf(server, user);

describe('the tokens of a connection', () => {
  it('have a holder of their own for each user, so that users share no session', async () => {
    const both = await Promise.all([tokensOf('mara'), tokensOf('noa')]);
    expect(new Set(both.map(({ tokens }) => tokens.holder)).size).toBe(2);
    for (const { close } of both) await close();
  });

  it('are renewed before their end, by one process of all', async () => {
    await world.connect(server);
    await world.age();
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
    expect(await world.read(body.id)).toMatchObject({ status: 'needs_reconnect', reason: 'refused' });
    expect((await world.connect(server)).body).toMatchObject({
      id: body.id,
      status: 'connected',
      reason: null,
    });
    expect(await world.call('mara')).toEqual(['succeeded', '5']);
  });

  it('stay where the authorization server is only away', async () => {
    const { body } = await world.connect(server);
    await world.age();
    world.authorization.tokenAnswer = [503, {}];
    const { tokens, close } = await tokensOf('mara');
    await expect(tokens.current(signal)).rejects.toMatchObject({ fault: 'unreachable' });
    expect(await world.read(body.id)).toMatchObject({ status: 'connected' });
    world.authorization.tokenAnswer = null;
    expect(world.authorization.scopeOf(await tokens.current(signal))).not.toBeNull();
    await close();
  });

  it('are lost with a process that dies between asking for them and keeping them, and that is said', async () => {
    const { body } = await world.connect(server);
    const grants = new ConnectionGrantStore(world.api.dataSource);
    const id = String(body.id);
    // The state after the death of a process that took the refresh lease and used the refresh token.
    await grants.beginRefresh(id, '00000000-0000-4000-8000-000000000009');
    const { tokens, close } = await tokensOf('mara');
    await world.age();
    const waiting = tokens.current(AbortSignal.timeout(400));
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
    world.authorization.forgetAll();
    await world.api.dataSource.query(`UPDATE connection SET refresh_until = now()`);
    await expect(tokens.current(signal)).rejects.toBeInstanceOf(ToolServerFailure);
    expect(await world.read(id)).toMatchObject({ status: 'needs_reconnect', reason: 'refresh_lost' });
    await close();
  });

  it('ask for more when the user connects again, where the server wanted more', async () => {
    const { body } = await world.connect(server);
    world.served.neededScope = 'crm:write';
    expect((await world.call('mara'))[1]).toMatch(/wants more than the user has agreed to/);
    expect(await world.read(body.id)).toMatchObject({ status: 'connected', missing_scope: 'crm:write' });
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
    await world.age();
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
    expect(await world.read(body.id)).toMatchObject({ status: 'revoked' });
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
