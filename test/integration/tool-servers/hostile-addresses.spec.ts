import type { LookupFunction } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { GuardedClient, mayBeCalled, type GuardedClientOptions } from '#libs/guarded-fetch';
import { systemTimers } from '#libs/kernel';
import { McpDriver, OpenApiDriver, LateSdkConnector } from '#libs/tool-sources';
import { PassingFailure, readToolReturn } from '#libs/tooling';
import { HOSTILE_HOSTS, HOSTILE_URLS, REDIRECTS } from '../../support/hostile-addresses.js';
import { NO_CREDENTIALS, toolContext, toolServer } from '../../support/mcp/mcp-world.js';
import { Receiver } from '../webhooks/receiver.js';

const REFUSED = 'the address may not be called';
const NEVER = new AbortController().signal;
const PATHS = { '/orders': { get: { operationId: 'list' }, post: { operationId: 'create' } } };
const ABOVE = { openapi: '3.1.0', info: { title: 'Orders', version: '1' }, paths: PATHS };

/** A receiver at an internal address; any connection to it fails the test. */
let trap: Receiver;
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  trap = await Receiver.listen((_request, response) => response.end('should never be asked'));
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  expect(trap.connections).toBe(0);
});
afterAll(() => trap.close());

function clientOf(options: Partial<GuardedClientOptions> = {}): GuardedClient {
  const client = new GuardedClient({ allowLoopback: false, privateHosts: [], ...options });
  ends.push(() => client.close());
  return client;
}

/** Opens an MCP server; returns the fault and the message that the tenant reads. */
async function openMcp(type: 'http' | 'sse', url: string, client = clientOf()): Promise<unknown> {
  const stdio = { lines: [], isolation: null, memoryBytes: 0, mostProcesses: 0, path: '' };
  const connector = new LateSdkConnector({ client, stdio, version: '1' });
  const driver = new McpDriver({ connector, timers: systemTimers, now: () => performance.now() });
  ends.push(() => driver.close());
  const server = toolServer({ type, config: { url, headers_template: {} } });
  const failure: unknown = await driver
    .open(server, NO_CREDENTIALS, null, NEVER)
    .catch((error: unknown) => error);
  const { fault, message } = failure as { fault?: string; message?: string };
  return { fault, message };
}

/** Calls all operations; returns the outputs for the model. `given` is the URL in the config or in the description. */
async function callOperation(
  given: { readonly base_url: string } | { readonly servers: string },
  client = clientOf(),
): Promise<unknown> {
  const inDocument = 'servers' in given ? { servers: [{ url: given.servers }] } : {};
  const config = {
    ...{ document: JSON.stringify({ ...ABOVE, ...inDocument }), headers_template: {} },
    ...{ query_template: {}, security: {}, ...('base_url' in given && given) },
  };
  const server = toolServer({ type: 'openapi', config });
  const { tools } = await new OpenApiDriver(client).open(server, NO_CREDENTIALS);
  const outputs = tools.map(async (tool) => {
    const answered = await tool.run({}, toolContext()).catch((error: unknown) => {
      if (error instanceof PassingFailure) return error.answer;
      throw error;
    });
    return readToolReturn(answered, 65_536).output;
  });
  return Promise.all(outputs);
}

const answering =
  (...answers: readonly string[]): LookupFunction =>
  (_name, _options, callback) =>
    callback(
      null,
      answers.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

it('the table is no shorter than it was', () => {
  expect(new Set([...HOSTILE_HOSTS, ...HOSTILE_URLS]).size).toBeGreaterThanOrEqual(50);
});

describe.each(HOSTILE_HOSTS)('a tool server at %s', (host) => {
  const at = (path: string): string => `http://${host}:${trap.port}${path}`;

  it('is refused when it is written, at every port and by https too', () => {
    for (const url of [at('/mcp'), `https://${host}/`, `http://${host}/`])
      expect([url, mayBeCalled(url, 'acme', [])]).toEqual([url, false]);
  });

  it.each(['http', 'sse'] as const)('is not connected to by MCP over %s', async (type) => {
    expect(await openMcp(type, at('/mcp'))).toEqual({ fault: 'refused_address', message: REFUSED });
  });

  it('is not called as an HTTP service, for any description', async () => {
    expect(await callOperation({ base_url: at('') })).toEqual([REFUSED, REFUSED]);
    expect(await callOperation({ servers: at('') })).toEqual([REFUSED, REFUSED]);
  });
});

describe.each(HOSTILE_URLS.filter((url) => url !== ''))('%s', (url) => {
  it('is no address of a tool server, at any door', async () => {
    expect(mayBeCalled(url, 'acme', [])).toBe(false);
    expect(await openMcp('http', url)).toMatchObject({ fault: 'refused_address', message: REFUSED });
    expect(await callOperation({ base_url: url })).toEqual([expect.any(String), expect.any(String)]);
  });
});

describe('a name that leads inside', () => {
  const NAMED = () => `http://tools.example:${trap.port}/mcp`;

  it.each([
    ['loopback', ['127.0.0.1']],
    ['a private network', ['10.1.2.3']],
    ['where clouds keep the credentials of machines', ['169.254.169.254']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['a public and a private address', ['93.184.215.14', '10.0.0.1']],
    ['no address', []],
  ])('to %s may be written, and is not connected to', async (_where, addresses) => {
    const client = () => clientOf({ lookup: answering(...addresses) });
    expect(mayBeCalled(NAMED(), 'acme', [])).toBe(true);
    expect(await openMcp('http', NAMED(), client())).toEqual({ fault: 'refused_address', message: REFUSED });
    expect(await openMcp('sse', NAMED(), client())).toEqual({ fault: 'refused_address', message: REFUSED });
    expect(await callOperation({ base_url: NAMED() }, client())).toEqual([REFUSED, REFUSED]);
    expect(await callOperation({ servers: NAMED() }, client())).toEqual([REFUSED, REFUSED]);
  });

  it('only at the second look is judged then', async () => {
    let asked = 0;
    const lookup: LookupFunction = (name, options, callback) => {
      asked += 1;
      answering(asked === 1 ? '127.0.0.2' : '127.0.0.1')(name, options, callback);
    };
    const client = clientOf({ lookup, privateHosts: [] });
    expect(await openMcp('http', NAMED(), client)).toMatchObject({ fault: 'refused_address' });
    expect(await openMcp('http', NAMED(), client)).toMatchObject({ fault: 'refused_address' });
    expect(asked).toBe(2);
  });
});

describe('a server that redirects to a forbidden address', () => {
  it.each(REDIRECTS)('by %i: is not followed', async (status) => {
    const server = await Receiver.listen(
      (_request, response) => {
        response.writeHead(status, { location: `http://127.0.0.1:${trap.port}/mcp` }).end();
      },
      undefined,
      '127.0.0.2',
    );
    ends.push(() => server.close());
    const privateHosts = [{ tenantId: null, host: '127.0.0.2', port: server.port }];
    const url = `http://127.0.0.2:${server.port}`;
    expect(await openMcp('http', `${url}/mcp`, clientOf({ privateHosts }))).toEqual({
      ...{ fault: 'refused', message: `the server answered ${status}` },
    });
    expect(await callOperation({ base_url: url }, clientOf({ privateHosts }))).toEqual([
      expect.stringContaining(`HTTP ${status}`),
      expect.stringContaining(`HTTP ${status}`),
    ]);
    expect(server.requests.length).toBeGreaterThan(2);
  });
});

describe('where the operator lets a tenant', () => {
  const hosts = [
    { tenantId: 'acme', host: '10.0.0.7', port: 8443 },
    { tenantId: null, host: 'localhost', port: null },
    { tenantId: 'acme', host: '169.254.169.254', port: null },
  ];

  it.each([
    ['http://10.0.0.7:8443/mcp', 'acme', true],
    ['http://10.0.0.7:8443/mcp', 'other', false],
    ['http://10.0.0.7:80/mcp', 'acme', false],
    ['http://localhost:9/', 'other', true],
    ['http://169.254.169.254/latest/meta-data', 'acme', false],
    ['https://93.184.215.14/', 'other', true],
    ['https://api.example.com/', 'other', true],
    ['https://notlocalhost.example/', 'other', true],
    ['https://tools.localhost/', 'other', false],
    ['https://LOCALHOST./', 'acme', false],
  ])('%s of %s: %s', (url, tenant, may) => {
    expect(mayBeCalled(url, tenant, hosts)).toBe(may);
  });
});
