import { afterEach, describe, expect, it } from '@jest/globals';
import { GuardedClient } from '#libs/guarded-fetch';
import type { JsonObject } from '#libs/kernel';
import { OpenApiDriver } from '#libs/tool-sources';
import {
  mayHaveTakenEffect,
  PassingFailure,
  readToolReturn,
  type ServerCredentials,
  type ServerTool,
  type ToolReturn,
  type ToolServerOf,
} from '#libs/tooling';
import { Receiver, type Behaviour } from '../webhooks/receiver.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const closable of open.splice(0)) await closable.close();
});

const NOTHING: ServerCredentials = { headers: {}, query: {}, env: {}, security: {}, missing: [] };
const CONTEXT = {
  ...{ tenantId: 't', executionId: 'e', sessionId: 's', scope: '', executor: null },
  idempotencyKey: 'e.1.0',
  events: { progress: () => undefined },
};
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/orders': {
      get: { operationId: 'list' },
      post: { operationId: 'create', requestBody: { content: { 'application/json': {} } } },
    },
    '/orders/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      put: { operationId: 'replace' },
      delete: { operationId: 'remove' },
    },
  },
};

interface Opening {
  readonly tools?: ToolServerOf<'openapi'>['tools'];
  readonly credentials?: Partial<ServerCredentials>;
  readonly timeoutMs?: number;
  readonly allowLoopback?: boolean;
}

async function serve(behaviour: Behaviour, opening: Opening = {}) {
  const receiver = await Receiver.listen(behaviour);
  const client = new GuardedClient({ allowLoopback: opening.allowLoopback ?? true, privateHosts: [] });
  open.push(receiver, client);
  const server: ToolServerOf<'openapi'> = {
    ...{ id: 'a', tenantId: 't', name: 'orders', version: 1, type: 'openapi', tools: opening.tools ?? {} },
    config: {
      ...{ document: JSON.stringify(DOCUMENT), headers_template: {}, query_template: {}, security: {} },
      base_url: `http://127.0.0.1:${receiver.port}`,
    },
    limits: { timeout_ms: opening.timeoutMs ?? 30_000, concurrency: 8 },
  };
  const opened = await new OpenApiDriver(client).open(server, { ...NOTHING, ...opening.credentials });
  expect(opened.warnings).toEqual([]);
  const tool = (name: string): ServerTool => {
    const found = opened.tools.find((one) => one.name === name);
    if (found === undefined) throw new Error(`there is no tool ${name}`);
    return found;
  };
  const call = (
    name: string,
    input: JsonObject = {},
    signal = new AbortController().signal,
  ): Promise<ToolReturn> => tool(name).run(input, { ...CONTEXT, signal });
  return { receiver, call, tool };
}

const reads = (returned: ToolReturn): [string, string] => {
  const { output } = readToolReturn(returned, 65_536);
  return [returned.result.status, output];
};
const thrownBy = async (calling: Promise<unknown>): Promise<unknown> =>
  calling.then(
    () => null,
    (error: unknown) => error,
  );

describe('an operation of an HTTP service', () => {
  it('answers what the service says, as text', async () => {
    const { call, receiver } = await serve((_request, response) => {
      response.setHeader('content-type', 'application/json; charset=utf-8');
      response.end('[{"id":"ü"}]');
    });
    expect(reads(await call('list'))).toEqual(['success', '[{"id":"ü"}]']);
    expect(receiver.requests[0]).toMatchObject({ path: '/orders', body: '' });
  });

  it('says the status where there is nothing to read', async () => {
    const { call } = await serve((_request, response) => response.writeHead(204).end());
    expect(reads(await call('remove', { id: 'a' }))).toEqual(['success', 'HTTP 204']);
  });

  it('gives bytes as a file', async () => {
    const { call } = await serve((_request, response) => {
      response.setHeader('content-type', 'image/png');
      response.setHeader('content-disposition', 'attachment; filename="chart.png"');
      response.end(Buffer.from([0x89, 0x50, 0xff]));
    });
    const { deliveries } = readToolReturn(await call('list'), 65_536);
    const file = { type: 'blob', mime_type: 'image/png', filename: 'chart.png', size: 3, base64: 'iVD/' };
    expect(deliveries).toEqual([{ kind: 'file', file }]);
  });

  it.each([301, 400, 404, 422])('reports an answer %d as an error, its body cut', async (status) => {
    const { call } = await serve((_request, response) => {
      response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end('x'.repeat(600));
    });
    const [list, create] = [await call('list'), await call('create', { body: {} })];
    for (const returned of [list, create])
      expect(reads(returned)).toEqual(['error', `HTTP ${status}: ${'x'.repeat(500)}`]);
  });

  it('follows redirects within its host, a body along with those that say so', async () => {
    const { call, receiver } = await serve(({ url, method }, response, body) => {
      const status = { '/orders': 308, '/orders/': 307, '/orders/new': 303 }[url ?? ''];
      if (status === undefined) return response.end(`${method} ${url} ${body}`);
      const next = { 308: '/orders/', 307: 'new', 303: '/orders/7?a=1' }[status] ?? '';
      return response.writeHead(status, { location: next }).end();
    });
    const { output } = readToolReturn(await call('create', { body: { a: 1 } }), 65_536);
    expect(output).toBe('GET /orders/7?a=1 ');
    expect(receiver.requests.map(({ path, body }) => [path, body])).toEqual([
      ['/orders', '{"a":1}'],
      ['/orders/', '{"a":1}'],
      ['/orders/new', '{"a":1}'],
      ['/orders/7?a=1', ''],
    ]);
  });

  it.each([
    [301, 'GET', ''],
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', '{"a":1}'],
    [308, 'POST', '{"a":1}'],
  ])('follows a POST that is answered %d by a %s (RFC 9110, 15.4)', async (status, method, sent) => {
    const { call, receiver } = await serve(
      (request, response, body) => {
        if (request.url === '/orders') return response.writeHead(status, { location: '/moved' }).end();
        const { 'content-type': type = 'none' } = request.headers;
        return response.end(`${request.method} ${type} ${body}`);
      },
      { credentials: { headers: { 'x-key': 'k' } } },
    );
    const { output } = readToolReturn(await call('create', { body: { a: 1 } }), 65_536);
    expect(output).toBe(`${method} ${sent === '' ? 'none' : 'application/json'} ${sent}`);
    expect(receiver.requests.map(({ path, body, headers }) => [path, body, headers['x-key']])).toEqual([
      ['/orders', '{"a":1}', 'k'],
      ['/moved', sent, 'k'],
    ]);
  });

  it('gives redirects up that lead in a circle', async () => {
    const { call, receiver } = await serve((_request, response) =>
      response.writeHead(302, { location: '/orders' }).end(),
    );
    const thrown = await thrownBy(call('list'));
    expect(reads((thrown as PassingFailure).answer)).toEqual(['error', 'The API redirects too often']);
    expect(receiver.requests).toHaveLength(6);
  });

  it('shows where the next page is, where a header says so', async () => {
    const next = '<https://api.example.com/orders?page=2>; rel="next"';
    const { call } = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', link: next }).end('[1,2]');
    });
    expect(reads(await call('list'))).toEqual(['success', `[1,2]\nLink: ${next}`]);
  });

  it.each([429, 503])('may be tried again after the status %d, with its text at the end', async (status) => {
    const { call } = await serve((_request, response) => response.writeHead(status).end('busy'));
    const thrown = await thrownBy(call('list'));
    expect(thrown).toBeInstanceOf(PassingFailure);
    expect(reads((thrown as PassingFailure).answer)).toEqual(['error', `HTTP ${status}: busy`]);
  });

  it.each<[string, number, boolean]>([
    ['a fault of the service', 500, true],
    ['one that HTTP does not retry', 501, true],
    ['too many requests', 429, false],
  ])('may have taken effect when it is unsafe: %s', async (_what, status, mayHave) => {
    const { call } = await serve((_request, response) => response.writeHead(status).end());
    expect(mayHaveTakenEffect(await thrownBy(call('create', { body: {} })))).toBe(mayHave);
  });

  it('has an unknown outcome when the connection breaks before an answer', async () => {
    const { call } = await serve((request) => request.socket.destroy());
    const thrown = await thrownBy(call('create', { body: {} }));
    expect(mayHaveTakenEffect(thrown)).toBe(true);
    expect(reads((thrown as PassingFailure).answer)).toEqual(['error', 'The API cannot be reached']);
  });

  it('took no effect when it was never sent', async () => {
    const { call, receiver } = await serve((_request, response) => response.end(), { allowLoopback: false });
    const thrown = await thrownBy(call('create', { body: {} }));
    expect(mayHaveTakenEffect(thrown)).toBe(false);
    expect(reads((thrown as PassingFailure).answer)).toEqual(['error', 'the address may not be called']);
    expect(receiver.requests).toEqual([]);
  });

  it('reports a timeout; an unsafe one has an unknown outcome', async () => {
    const { call } = await serve(() => undefined, { timeoutMs: 100 });
    expect(reads(await call('list'))).toEqual(['error', 'Request timeout after 0.1s']);
    expect(mayHaveTakenEffect(await thrownBy(call('create', { body: {} })))).toBe(true);
  });

  it('is not read to its end when its answer is too large', async () => {
    const { call } = await serve((_request, response) => {
      response.end(Buffer.alloc(10 * 1_024 * 1_024 + 1, 'x'));
    });
    expect(reads(await call('list'))).toEqual(['error', 'Response too large to process']);
  });

  it('minds its signal', async () => {
    const stop = new AbortController();
    const { call } = await serve(() => stop.abort(new Error('stopped')));
    expect(await thrownBy(call('list', {}, stop.signal))).toBe(stop.signal.reason);
  });

  it('never goes over a used connection when it is unsafe', async () => {
    const used = new Set<unknown>();
    const isFresh: boolean[] = [];
    const { call } = await serve((request, response) => {
      if (request.method === 'POST') isFresh.push(!used.has(request.socket));
      used.add(request.socket);
      response.end();
    });
    for (const name of ['list', 'list', 'create', 'create', 'list', 'create']) await call(name, { body: {} });
    expect(isFresh).toEqual([true, true, true]);
  });

  it('is repeated when the tenant declares that as safe', async () => {
    const { call } = await serve(() => undefined, { timeoutMs: 100, tools: { create: { effect: 'read' } } });
    expect(reads(await call('create', { body: {} }))).toEqual(['error', 'Request timeout after 0.1s']);
  });

  it('gives no model a credential that the service repeats', async () => {
    const headers = { authorization: 'Bearer canary-4711-secret' };
    const { call } = await serve(
      (request, response) =>
        response.writeHead(Number(request.headers['x-status'] ?? 200)).end(JSON.stringify(request.headers)),
      { credentials: { headers, query: {} } },
    );
    const [, output] = reads(await call('list'));
    expect(output).toContain('authorization');
    expect(output).not.toContain('canary-4711-secret');
  });
});
