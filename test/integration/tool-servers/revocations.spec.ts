import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { resealSecrets } from '../../../apps/migrate/src/reseal-secrets.js';
import { dumpDatabase } from '../../support/services/everything-stored.js';
import { waitFor } from '../../support/services/wait-for.js';
import { ask, type Answer } from '../api/http-client.js';
import { CANARY, ConnectionsWorld, ENCRYPTION_KEY, REDIRECT } from './connections-world.js';

let world: ConnectionsWorld;
let server: string;

beforeAll(async () => {
  world = await ConnectionsWorld.open();
});
beforeEach(async () => {
  server = await world.reset();
});
afterAll(() => world.close());

const query = <Row extends object>(sql: string): Promise<Row[]> => world.api.dataSource.query<Row[]>(sql);
const waiting = (): Promise<{ tries: number; lease_expires_at: Date | null }[]> =>
  query('SELECT tries, lease_expires_at FROM background_task');
const deleteServer = (headers: Record<string, string> = {}): Promise<Answer> =>
  ask(world.api.url, `/api/mcp-servers/${server}/`, { method: 'DELETE', headers });
const goodTokens = (): string[] =>
  world.authorization.issued.filter((token) => world.authorization.scopeOf(token) !== null);
const noneIsLeft = (): Promise<unknown> =>
  waitFor(async () => (await waiting()).length === 0, { description: 'no revocation is waiting' });
/** Makes the authorization server answer revocations with 503, a passing fault. */
const goAway = (): void => {
  world.authorization.instead = { '/revoke': (response) => void response.writeHead(503).end() };
};
const tried = (tries: number): Promise<unknown> =>
  waitFor(
    async () => {
      const [row] = await waiting();
      return row?.tries === tries && row.lease_expires_at === null;
    },
    { description: `try ${tries} is over` },
  );

describe('deleting a tool server', () => {
  it('revokes what its users had agreed to, and forgets it', async () => {
    await world.connect(server, 'mara');
    await world.connect(server, 'noa');
    expect(goodTokens()).toHaveLength(2);
    expect((await deleteServer()).status).toBe(204);
    await noneIsLeft();
    expect(goodTokens()).toEqual([]);
    expect(world.authorization.revoked).toHaveLength(4);
    expect(await query('SELECT id FROM connection')).toEqual([]);
  });

  it('forgets tokens only when they have been revoked', async () => {
    await world.connect(server);
    const rows: number[] = [];
    world.authorization.beforeRevocationAnswer = async () => {
      rows.push((await waiting()).length);
    };
    await deleteServer();
    await noneIsLeft();
    expect(rows).toEqual([1, 1]);
  });

  it('revokes them as the client that signs', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    world.authorization.clients.set('signer', { publicKey, redirectUris: [REDIRECT] });
    server = await world.makeServer(
      {
        ...{ client_auth: 'private_key_jwt', key_algorithm: 'RS256', client_id: 'signer' },
        ...{ client_secret: undefined, private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }) },
      },
      'signing',
    );
    await world.connect(server);
    expect(goodTokens()).toHaveLength(1);
    await deleteServer();
    await noneIsLeft();
    expect(goodTokens()).toEqual([]);
  });

  it('asks for each token where the authorization server refuses one, and says so in the log', async () => {
    await world.connect(server);
    let asked = 0;
    const refuse = (response: ServerResponse): void => {
      asked += 1;
      response.writeHead(400).end();
    };
    world.authorization.instead = { '/revoke': refuse };
    await deleteServer();
    await noneIsLeft();
    expect(asked).toBe(2);
    expect(world.api.log.join('\n')).toContain('the authorization server does not revoke all tokens for us');
  });

  it('revokes nothing for another version, or without a consent', async () => {
    await world.begin(server, 'kim');
    await world.connect(server);
    expect((await deleteServer({ 'if-match': '"7"' })).status).toBe(412);
    expect(await waiting()).toEqual([]);
    expect(goodTokens()).toHaveLength(1);
    await query(`UPDATE connection SET grant_sealed = NULL, status = 'needs_reconnect'`);
    expect((await deleteServer()).status).toBe(204);
    expect(await waiting()).toEqual([]);
  });

  it('waits for an authorization server that is away, with the tokens sealed', async () => {
    await world.connect(server);
    goAway();
    await deleteServer();
    await tried(1);
    const stored = await dumpDatabase(world.database.url);
    for (const secret of [...world.authorization.issued, CANARY]) expect(stored).not.toContain(secret);
    const next = `k2:${Buffer.alloc(32, 8).toString('base64')}`;
    // Two sealed values: the tokens, and the secrets of the server.
    expect(await resealSecrets(world.database.url, `${next},${ENCRYPTION_KEY}`)).toBe(2);
    expect(await resealSecrets(world.database.url, next)).toBe(0);
    await resealSecrets(world.database.url, `${ENCRYPTION_KEY},${next}`);
    world.authorization.instead = {};
    await query('UPDATE background_task SET due_at = now()');
    await noneIsLeft();
    expect(goodTokens()).toEqual([]);
  });

  it('gives up after eight tries, and says so in the log', async () => {
    await world.connect(server);
    goAway();
    await deleteServer();
    await tried(1);
    await query('UPDATE background_task SET tries = 6, due_at = now()');
    await tried(7);
    await query('UPDATE background_task SET due_at = now()');
    await noneIsLeft();
    expect(goodTokens()).toHaveLength(1);
    expect(world.api.log.join('\n')).toContain('a background task is given up');
  });

  it('gives up where a worker has died over the last try, and says so in the log', async () => {
    await world.connect(server);
    goAway();
    await deleteServer();
    await tried(1);
    await query('UPDATE background_task SET tries = 8, due_at = now()');
    await noneIsLeft();
    expect(world.api.log.join('\n')).toContain('the process that had the last try has died over it');
  });

  it('goes on where a worker has died over it, once its lease has ended', async () => {
    await world.connect(server);
    goAway();
    await deleteServer();
    await tried(1);
    world.authorization.instead = {};
    // The state after the death of a worker during another try.
    const token = randomUUID();
    await query(
      `UPDATE background_task SET tries = 2, due_at = now(), claim_token = '${token}',
              lease_expires_at = now() + interval '1 minute'`,
    );
    expect(await waiting()).toEqual([{ tries: 2, lease_expires_at: expect.any(Date) }]);
    expect(goodTokens()).toHaveLength(1);
    await query(`UPDATE background_task SET lease_expires_at = now() - interval '1 second'`);
    await noneIsLeft();
    expect(goodTokens()).toEqual([]);
  });

  it('leaves no tokens that are being renewed at that moment', async () => {
    await world.connect(server);
    await world.age();
    world.authorization.beforeTokenAnswer = async () => {
      await deleteServer();
    };
    const { tokens, close } = await world.tokensOf(server, 'mara');
    await expect(tokens.current(new AbortController().signal)).rejects.toMatchObject({
      fault: 'connection_needed',
    });
    await noneIsLeft();
    expect(goodTokens()).toEqual([]);
    await close();
  });
});
