import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GuardedClient } from '#libs/guarded-fetch';
import { OpenApiDriver, ServerAccess, type McpDriver } from '#libs/tool-sources';
import {
  AccessTokens,
  readToolReturn,
  ToolServerFailure,
  type OpenedServer,
  type ToolServer,
} from '#libs/tooling';
import { makeMcpDriver, outputOf } from '../../support/mcp/driver-world.js';
import { callOf, httpServer, NO_CREDENTIALS, runOf, toolContext } from '../../support/mcp/mcp-world.js';
import { AuthorizationServer } from '../../support/oauth/authorization-server.js';
import { MemoryClientTokens } from '../../support/oauth/client-token-shelf.js';
import { MemoryConnections } from '../../support/oauth/memory-connections.js';
import { serveProtectedMcp, type ProtectedMcp } from '../../support/oauth/protected-mcp.js';
import { Receiver } from '../webhooks/receiver.js';

const SECRET = 'sk-canary-of-a-client';
let authorization: AuthorizationServer;
let served: ProtectedMcp;
let driver: McpDriver;
let access: ServerAccess;
let tokens: MemoryClientTokens;
let closings: (() => Promise<void>)[];

beforeEach(async () => {
  authorization = await AuthorizationServer.start();
  authorization.clients.set('us', { secret: SECRET });
  served = await serveProtectedMcp(authorization);
  const made = makeMcpDriver();
  ({ driver } = made);
  const client = new GuardedClient({ allowLoopback: true, privateHosts: [] });
  tokens = new MemoryClientTokens();
  access = new ServerAccess({ client, clientTokens: tokens, connections: new MemoryConnections() });
  closings = [made.close, () => client.close(), () => served.close(), () => authorization.close()];
});
afterEach(async () => {
  for (const close of closings) await close();
});

const authOf = (more: object = {}) => ({
  ...{ type: 'oauth', grant: 'client_credentials', issuer: authorization.origin },
  ...{ client_auth: 'client_secret_basic', client_id: 'us', client_secret: SECRET },
  ...more,
});

function serverOf(auth: object = authOf(), more: object = {}): ToolServer {
  const config = { url: `${served.origin}/mcp`, headers_template: {}, auth };
  return httpServer('', { config, ...more } as Partial<ToolServer>);
}

async function open(server: ToolServer = serverOf()): Promise<OpenedServer> {
  const credentials = { ...NO_CREDENTIALS, access: access.to(server, null) ?? undefined };
  return driver.open(server, credentials as typeof NO_CREDENTIALS, runOf('e'), new AbortController().signal);
}

async function failureOf(opening: Promise<unknown>): Promise<unknown> {
  const error = await opening.then(
    () => 'it did not fail',
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ToolServerFailure)) return String(error);
  expect(`${error.message} ${String(error.stack)} ${JSON.stringify(error)}`).not.toContain(SECRET);
  return [error.fault, error.message];
}

const sum = async (opened: OpenedServer): Promise<string> =>
  outputOf(await callOf(opened.tools, 'add', toolContext(), { a: 2, b: 3 }));

class FixedToken extends AccessTokens {
  constructor(
    override readonly holder: string,
    private readonly token: string,
  ) {
    super();
  }

  override current(): Promise<string> {
    return Promise.resolve(this.token);
  }

  override renew(): Promise<string> {
    return this.current();
  }
}

describe('a server that lets the tenant in by OAuth', () => {
  it.each(['client_secret_basic', 'client_secret_post'])(
    'is sent a token that was issued for %s, for just that server',
    async (clientAuth) => {
      const opened = await open(serverOf(authOf({ client_auth: clientAuth, scope: 'read write' })));
      expect(await sum(opened)).toBe('5');
      expect(authorization.tokenRequests).toMatchObject([
        {
          clientId: 'us',
          method: clientAuth,
          params: { resource: `${served.origin}/mcp`, scope: 'read write' },
        },
      ]);
      expect(new Set(served.seen)).toEqual(new Set([authorization.issued[0]]));
      await opened.close();
    },
  );

  it('is sent one that was issued for a signed assertion', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    authorization.clients.set('signer', { publicKey });
    const auth = {
      ...{ type: 'oauth', grant: 'client_credentials', issuer: authorization.origin, client_id: 'signer' },
      ...{ client_auth: 'private_key_jwt', key_algorithm: 'RS256' },
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    };
    const opened = await open(serverOf(auth));
    expect(await sum(opened)).toBe('5');
    expect(authorization.tokenRequests).toMatchObject([{ clientId: 'signer', method: 'private_key_jwt' }]);
    await opened.close();
  });

  it('costs one token for many runs at once, and another only shortly before its end', async () => {
    const opened = await Promise.all([open(), open(), open()]);
    expect(authorization.tokenRequests).toHaveLength(1);
    const key = [...tokens.kept.keys()][0] ?? '';
    const kept = tokens.kept.get(key);
    if (kept === undefined) throw new Error('no token was kept');
    tokens.kept.set(key, { ...kept, keptAt: kept.keptAt - kept.lifetimeMs + 20_000 });
    for (const each of opened) expect(await sum(each)).toBe('5');
    expect(authorization.tokenRequests).toHaveLength(2);
    expect(served.seen.at(-1)).toBe(authorization.issued[1]);
    for (const each of opened) await each.close();
  });

  it('is asked again with another token where it takes the first one no more, once, by all calls', async () => {
    const opened = await open();
    authorization.expire(authorization.issued[0] ?? '');
    expect(await Promise.all([sum(opened), sum(opened), sum(opened)])).toEqual(['5', '5', '5']);
    expect(authorization.tokenRequests).toHaveLength(2);
    await opened.close();
  });

  it('gets a token with the scope that it asks for, unless the tenant has said which', async () => {
    served.neededScope = 'admin';
    const opened = await open();
    expect(await sum(opened)).toBe('5');
    expect(authorization.tokenRequests.map(({ params }) => params['scope'])).toEqual([undefined, 'admin']);
    await opened.close();
    expect(await failureOf(open(serverOf(authOf({ scope: 'read' }), { version: 2 })))).toEqual([
      'unauthorized',
      'the server answered 403',
    ]);
    expect(authorization.tokenRequests.slice(2).every(({ params }) => params['scope'] === 'read')).toBe(true);
  });

  it('is not led to another authorization server by what it says of itself', async () => {
    const other = await AuthorizationServer.start();
    closings.push(() => other.close());
    other.clients.set('us', { secret: SECRET });
    served.resource = { authorization_servers: [other.origin] };
    const opened = await open();
    expect(await sum(opened)).toBe('5');
    expect(other.tokenRequests).toEqual([]);
    await opened.close();
  });

  it('is spoken to on one connection by one holder of tokens, and by another one on another', async () => {
    const stateless = serverOf(authOf(), {
      config: { url: `${served.origin}/stateless`, headers_template: {}, auth: authOf() },
    });
    const signal = new AbortController().signal;
    const token = (await access.to(stateless, null)?.current(signal)) ?? '';
    const openAs = (holder: string, run: string): Promise<OpenedServer> => {
      const credentials = { ...NO_CREDENTIALS, access: new FixedToken(holder, token) };
      return driver.open(stateless, credentials, runOf(run), signal);
    };
    await openAs('user mara', 'one');
    await openAs('user mara', 'two');
    expect(driver.connections).toBe(1);
    await openAs('user noa', 'three');
    expect(driver.connections).toBe(2);
  });

  it('has the model read in our words that its tools cannot be called any more', async () => {
    const opened = await open();
    authorization.forgetAll();
    authorization.clients.delete('us');
    tokens.kept.clear();
    expect(await sum(opened)).toContain('the authorization server refused the client: invalid_client');
    await opened.close();
  });
});

describe('an authorization server that is of no use', () => {
  it.each<[string, () => void, unknown]>([
    [
      'refuses the client',
      () => authorization.clients.set('us', { secret: 'another' }),
      ['unauthorized', 'the authorization server refused the client: invalid_client'],
    ],
    [
      'is not well',
      () => (authorization.tokenAnswer = [503, {}]),
      ['unreachable', 'the authorization server cannot be reached'],
    ],
    [
      'issues something else',
      () => (authorization.tokenAnswer = [200, { access_token: 'a', token_type: 'mac' }]),
      ['protocol', 'the authorization server issued no bearer token'],
    ],
    [
      'issues a token that ends a header',
      () => (authorization.tokenAnswer = [200, { access_token: 'a\r\nb: c', token_type: 'Bearer' }]),
      ['protocol', 'the authorization server issued no bearer token'],
    ],
    [
      'answers with more than the limit',
      () => (authorization.tokenAnswer = [200, { access_token: 'a'.repeat(300_000), token_type: 'Bearer' }]),
      ['protocol', 'what answers as the authorization server does not speak OAuth as it should'],
    ],
    [
      'names itself as another one',
      () => (authorization.metadata = { issuer: 'https://honest.example.com' }),
      ['protocol', 'the authorization server names itself otherwise than it is known by'],
    ],
    [
      'leads to a forbidden address',
      () => (authorization.metadata = { token_endpoint: 'http://169.254.169.254/token' }),
      ['refused_address', 'the address of the authorization server may not be called'],
    ],
  ])('%s', async (_name, spoil, failure) => {
    spoil();
    expect(await failureOf(open())).toEqual(failure);
    expect(served.seen.filter((token) => token !== null)).toEqual([]);
  });

  it('is away', async () => {
    await authorization.close();
    closings.pop();
    expect(await failureOf(open())).toEqual(['unreachable', 'the authorization server cannot be reached']);
  });
});

it('an HTTP service gets the same tokens, at its own address only, and does not show them to the model', async () => {
  const receiver = await Receiver.listen((request, response) =>
    response.end(`you sent ${String(request.headers.authorization)}`),
  );
  closings.push(() => receiver.close());
  const client = new GuardedClient({ allowLoopback: true, privateHosts: [] });
  closings.push(() => client.close());
  const base = `http://127.0.0.1:${receiver.port}`;
  const document = {
    ...{ openapi: '3.1.0', info: { title: 'Orders', version: '1' } },
    paths: { '/orders': { get: { operationId: 'list' } } },
  };
  const server = httpServer('', {
    type: 'openapi',
    config: {
      ...{ document: JSON.stringify(document), headers_template: {}, query_template: {}, security: {} },
      ...{ base_url: base, auth: authOf() },
    },
  } as Partial<ToolServer>);
  const credentials = { ...NO_CREDENTIALS, access: access.to(server, null) ?? undefined };
  const opened = await new OpenApiDriver(client).open(server, credentials as typeof NO_CREDENTIALS);
  const list = async () => readToolReturn(await callOf(opened.tools, 'list'), 65_536).output;
  expect(await list()).toBe('you sent Bearer [redacted]');
  authorization.clients.delete('us');
  tokens.kept.clear();
  expect(await list()).toBe(
    'The API cannot be called: the authorization server refused the client: invalid_client',
  );
});
