import { randomUUID } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { GuardedClient, type GuardedClientOptions } from '#libs/guarded-fetch';
import { authOf, oauthFetch, revokeGrant, ServerAccess, type ConnectionGrant } from '#libs/tool-sources';
import type { OpenedServer, ToolServer } from '#libs/tooling';
import { HOSTILE_HOSTS, HOSTILE_URLS } from '../../support/hostile-addresses.js';
import { makeMcpDriver, outputOf } from '../../support/mcp/driver-world.js';
import { callOf, httpServer, NO_CREDENTIALS, toolContext } from '../../support/mcp/mcp-world.js';
import { AuthorizationServer } from '../../support/oauth/authorization-server.js';
import { MemoryClientTokens } from '../../support/oauth/client-token-shelf.js';
import { ConsentingUser } from '../../support/oauth/consenting-user.js';
import { MemoryConnections } from '../../support/oauth/memory-connections.js';
import { serveProtectedMcp, type ProtectedMcp } from '../../support/oauth/protected-mcp.js';
import { Receiver } from '../webhooks/receiver.js';

const WORDS = 'the address of the authorization server may not be called';
const REFUSED = ['refused_address', WORDS];
const NEVER = new AbortController().signal;
const MARA = { user_id: 'mara' };
const REDIRECT = 'https://app.example.com/connected';

/** A receiver at an internal address; any connection to it fails the test. */
let trap: Receiver;
let authorization: AuthorizationServer;
let served: ProtectedMcp;
let driver: ReturnType<typeof makeMcpDriver>;
let tokens: MemoryClientTokens;
let connections: MemoryConnections;
const ends: (() => Promise<void>)[] = [];

beforeAll(async () => {
  trap = await Receiver.listen((_request, response) => response.end('should never be asked'));
  authorization = await AuthorizationServer.start();
  authorization.clients.set('us', { secret: 'sk-secret', redirectUris: [REDIRECT] });
  served = await serveProtectedMcp(authorization);
  driver = makeMcpDriver();
});
beforeEach(() => {
  Object.assign(authorization, { metadata: {} });
  Object.assign(served, { resource: {} });
  tokens = new MemoryClientTokens();
  connections = new MemoryConnections();
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  expect(trap.connections).toBe(0);
});
afterAll(async () => {
  await driver.close();
  await served.close();
  await authorization.close();
  await trap.close();
});

/** A client that may call the tool server and the honest authorization server, and no other internal address. */
function clientOf(options: Partial<GuardedClientOptions> = {}): GuardedClient {
  const privateHosts = [served.origin, authorization.origin].map((origin) => {
    const { hostname: host, port } = new URL(origin);
    return { tenantId: null, host, port: Number(port) };
  });
  const client = new GuardedClient({ allowLoopback: false, privateHosts, ...options });
  ends.push(() => client.close());
  return client;
}

const BY_SECRET = { client_auth: 'client_secret_basic', client_id: 'us', client_secret: 'sk-secret' };
const BY_CODE = { type: 'oauth', grant: 'authorization_code', redirect_uri: REDIRECT };
const byCredentials = (issuer = authorization.origin) => ({
  ...{ type: 'oauth', grant: 'client_credentials', issuer },
  ...BY_SECRET,
});
const byCode = (issuer = authorization.origin) => ({ ...BY_CODE, issuer, ...BY_SECRET });
const registered = () => ({ ...BY_CODE, client_auth: 'registered' });

/** A server with a new id, so that no token or connection of an earlier one applies. */
function serverWith(auth: object): ToolServer {
  const config = { url: `${served.origin}/mcp`, headers_template: {}, auth };
  return httpServer('', { id: randomUUID(), config } as Partial<ToolServer>);
}

/** Opens the server as a probe does. */
async function open(server: ToolServer, client = clientOf()): Promise<OpenedServer> {
  const access = new ServerAccess({ client, clientTokens: tokens, connections }).to(server, MARA);
  const credentials = { ...NO_CREDENTIALS, access: access ?? undefined } as typeof NO_CREDENTIALS;
  return driver.driver.open(server, credentials, null, NEVER);
}

const connect = (server: ToolServer, client = clientOf()): Promise<void> =>
  new ConsentingUser(client, connections, MARA.user_id).connect(server);

/** The grant of a connected user, with changed metadata of the authorization server. */
async function grantWith(metadata: object): Promise<ConnectionGrant> {
  const server = serverWith(byCode());
  await connect(server);
  const held = await connections.read(server, MARA.user_id);
  if (held === null) throw new Error('nobody is connected');
  const { discovery } = held.grant;
  const said = { ...discovery.authorizationServerMetadata, ...metadata };
  return { ...held.grant, discovery: { ...discovery, authorizationServerMetadata: said } } as ConnectionGrant;
}

async function refresh(metadata: object, client = clientOf()): Promise<unknown> {
  const grant = await grantWith(metadata);
  const server = serverWith(byCode());
  connections.connect(server, MARA.user_id, { ...grant, tokens: { ...grant.tokens, expires_in: 0 } });
  const access = new ServerAccess({ client, clientTokens: tokens, connections }).to(server, MARA);
  return access?.current(NEVER);
}

async function revoke(metadata: object, client = clientOf()): Promise<unknown> {
  const grant = await grantWith(metadata);
  const wanted = authOf(serverWith(byCode()));
  if (wanted === null) throw new Error('the server wants no tokens');
  return revokeGrant(wanted.auth, grant, oauthFetch(client, 'tenant-1'));
}

async function failureOf(doing: Promise<unknown>): Promise<unknown> {
  const error: unknown = await doing.then(
    () => 'it did not fail',
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error) || !('fault' in error)) return error;
  return [error.fault, error.message];
}

/** Every call of an address that a config or an authorization server names. */
const DOORS: readonly (readonly [string, (url: string, client?: GuardedClient) => Promise<unknown>])[] = [
  ['the issuer, where a server is probed', (url, client) => open(serverWith(byCredentials(url)), client)],
  ['the issuer, where a user connects', (url, client) => connect(serverWith(byCode(url)), client)],
  [
    'the issuer that a tool server names',
    (url, client) => {
      served.resource = { authorization_servers: [url] };
      return connect(serverWith(registered()), client);
    },
  ],
  [
    'the token endpoint, where a server is probed',
    (url, client) => {
      authorization.metadata = { token_endpoint: url };
      return open(serverWith(byCredentials()), client);
    },
  ],
  [
    'the token endpoint, where a user has agreed',
    (url, client) => {
      authorization.metadata = { token_endpoint: url };
      return connect(serverWith(byCode()), client);
    },
  ],
  [
    'the registration endpoint',
    (url, client) => {
      authorization.metadata = { registration_endpoint: url };
      return connect(serverWith(registered()), client);
    },
  ],
  ['the token endpoint, where tokens are renewed', (url, client) => refresh({ token_endpoint: url }, client)],
  ['the revocation endpoint', (url, client) => revoke({ revocation_endpoint: url }, client)],
];

describe('an authorization server that is honest', () => {
  it('is gone to through each door', async () => {
    const { origin } = authorization;
    for (const [, enter] of DOORS.slice(0, 3)) expect(await failureOf(enter(origin))).toBe('it did not fail');
    expect(await failureOf(refresh({}))).toBe('it did not fail');
    expect(await revoke({})).toBe(true);
  });
});

describe.each(HOSTILE_HOSTS)('an address of an authorization server at %s', (host) => {
  const at = (path: string): string => `http://${host}:${trap.port}${path}`;

  it.each(DOORS)('is not called: %s', async (_door, enter) => {
    expect(await failureOf(enter(at('')))).toEqual(REFUSED);
  });

  it('is not called in the middle of a run, and the model reads so', async () => {
    const opened = await open(serverWith(byCredentials()));
    authorization.expireAll();
    tokens.kept.clear();
    authorization.metadata = { token_endpoint: at('/token') };
    const returned = await callOf(opened.tools, 'add', toolContext(), { a: 2, b: 3 });
    expect(outputOf(returned)).toContain(WORDS);
    await opened.close();
  });
});

describe.each(HOSTILE_URLS)('%j', (url) => {
  it.each(['token_endpoint', 'registration_endpoint'])('is no %s', async (field) => {
    authorization.metadata = { [field]: url };
    const failure = await failureOf(connect(serverWith(registered())));
    expect(failure).toEqual([expect.stringMatching(/^(refused_address|protocol)$/), expect.any(String)]);
  });
});

describe('a name that leads inside', () => {
  const answering =
    (...addresses: readonly string[]): LookupFunction =>
    (_name, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );

  describe.each([
    ['loopback', ['127.0.0.1']],
    ['where clouds keep the credentials of machines', ['169.254.169.254']],
    ['a public and a private address', ['93.184.215.14', '10.0.0.1']],
    ['a mapped address', ['::ffff:127.0.0.1']],
  ])('to %s', (_where, addresses) => {
    it.each(DOORS)('is not called: %s', async (_door, enter) => {
      const client = clientOf({ lookup: answering(...addresses) });
      expect(await failureOf(enter(`http://auth.example:${trap.port}`, client))).toEqual(REFUSED);
    });
  });
});
