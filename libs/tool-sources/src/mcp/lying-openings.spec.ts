import { afterEach, describe, expect, it } from '@jest/globals';
import { HostileWorlds } from '../../../../test/support/mcp/driver-world.js';
import { beginEvents, ECHO, sendJson, type Script } from '../../../../test/support/mcp/hostile-mcp-server.js';
import { NO_CREDENTIALS } from '../../../../test/support/mcp/mcp-world.js';
import { waitFor } from '../../../../test/support/services/wait-for.js';

const worlds = new HostileWorlds();
const failed = (error: unknown): unknown => error;

afterEach(() => worlds.close());

describe('a server that lies when it is opened', () => {
  const huge = 'x'.repeat(11 * 1_024 * 1_024);
  const as =
    (type: string, body: string, status = 200): NonNullable<Script['on']>[string] =>
    (_m, response) =>
      response.writeHead(status, { 'content-type': type }).end(body);
  const error =
    (code: unknown, message: unknown, status = 200, ofRequest = true): NonNullable<Script['on']>[string] =>
    ({ id }, response) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: ofRequest ? id : null, error: { code, message } }));

  it.each<[string, Script['on'], string, RegExp]>([
    ['401', { initialize: (_m, response) => response.writeHead(401).end() }, 'unauthorized', /401/],
    ['404', { initialize: (_m, response) => response.writeHead(404).end() }, 'refused', /404/],
    ['503', { initialize: as('text/html', '<p>away', 503) }, 'unreachable', /503/],
    ['429', { initialize: as('text/plain', 'slow down', 429) }, 'overloaded', /429/],
    [
      'with a page for people',
      { initialize: as('text/html; charset=utf-8', '<p>hi') },
      'protocol',
      /web page/,
    ],
    ['with plain text', { initialize: as('text/plain', 'hi') }, 'protocol', /content type text\/plain/],
    [
      'without a content type',
      { initialize: (_m, response) => response.writeHead(200).end('hi') },
      'protocol',
      /without a content type/,
    ],
    [
      'with broken JSON',
      { initialize: as('application/json', '{"jsonrpc') },
      'protocol',
      /no message of MCP/,
    ],
    ['as another kind of API', { initialize: as('application/json', '{"ok":1}') }, 'protocol', /no message/],
    [
      'with a revision that there is not',
      {
        initialize: ({ id }, response) =>
          sendJson(response, id, { protocolVersion: '1999-01-01', capabilities: {}, serverInfo: {} }),
      },
      'protocol',
      /version 1999-01-01 of MCP.* 2025-11-25/,
    ],
    [
      'with an error, whose secrets are taken out',
      { initialize: error(-32_603, 'no database, sk-secret-key') },
      'protocol',
      /error -32603: no database/,
    ],
    ['with an error that has no code', { initialize: error('E', 'mad') }, 'protocol', /-32603: mad/],
    [
      'with an error of no request',
      { initialize: error(-32_700, 'eh', 200, false) },
      'protocol',
      /-32700: eh/,
    ],
    ['with an error and its status', { initialize: error(-32_600, 'eh', 400) }, 'refused', /400: eh/],
    [
      'by hanging up',
      { initialize: (_m, response) => response.destroy() },
      'unreachable',
      /connection broke off/,
    ],
    [
      'by a stream that ends with nothing',
      {
        initialize: (_m, response) => {
          beginEvents(response);
          response.end();
        },
      },
      'unreachable',
      /without a result/,
    ],
    [
      'with no list of tools',
      { 'tools/list': ({ id }, response) => sendJson(response, id, { tools: 'many' }) },
      'protocol',
      /no list of tools/,
    ],
    [
      'with a list longer than the limit',
      { 'tools/list': ({ id }, response) => sendJson(response, id, { tools: [], huge }) },
      'protocol',
      /more than is read/,
    ],
    [
      'by a redirect to another address',
      {
        initialize: (_m, response) =>
          response.writeHead(307, { location: 'http://169.254.169.254/latest' }).end(),
      },
      'refused',
      /307/,
    ],
  ])('%s', async (_name, on, fault, message) => {
    const { driver, open } = await worlds.make({ hasSessions: true, ...(on && { on }) });
    const failure = await open().catch(failed);
    expect(failure).toMatchObject({ name: 'ToolServerFailure', fault });
    expect((failure as Error).message).toMatch(message);
    expect((failure as Error).message).not.toMatch(/secret|127\.0\.0\.1|169\.254|SyntaxError/);
    await waitFor(() => driver.connections === 0, { description: 'nothing held' });
  });

  it('by refusing the notification that it is initialized is used all the same', async () => {
    const { open } = await worlds.make({
      on: { 'notifications/initialized': as('application/json', '{"error":"unknown method"}', 404) },
    });
    expect((await open()).tools.map(({ name }) => name)).toEqual(['echo']);
  });

  it.each<[string, Script['on'], string[], string[]]>([
    ['has some', {}, ['echo'], []],
    ['has none', { 'tools/list': error(-32_601, 'no such method') }, [], ['the server lists no tools']],
  ])('by not saying that it has tools is asked: it %s', async (_name, on, tools, warnings) => {
    const { open } = await worlds.make({
      on: {
        initialize: ({ id }, response) =>
          sendJson(response, id, {
            protocolVersion: '2025-11-25',
            capabilities: {},
            serverInfo: { name: 'x', version: '1' },
          }),
        ...on,
      },
    });
    const opened = await open();
    expect(opened.tools.map(({ name }) => name)).toEqual(tools);
    expect(opened.warnings).toEqual(warnings);
  });

  it('without any answer is given up after its time, or when its caller leaves', async () => {
    const { server, driver, row, open } = await worlds.make({ on: { initialize: () => undefined } });
    await expect(open('execution-1', { limits: { timeout_ms: 100, concurrency: 1 } })).rejects.toMatchObject({
      fault: 'unreachable',
    });
    const stop = new AbortController();
    const opening = driver.open(row(), NO_CREDENTIALS, null, stop.signal).catch(failed);
    await waitFor(() => server.of('initialize').length === 2, { description: 'the second question' });
    stop.abort();
    expect(await opening).toMatchObject({ fault: 'unreachable' });
    await waitFor(async () => (await server.connections()) === 0, { description: 'closed connections' });
  });

  it.each<[string, NonNullable<Script['on']>[string], number]>([
    [
      'goes round in a circle',
      ({ id, params }, response) =>
        sendJson(response, id, {
          tools: params?.['cursor'] === undefined ? [ECHO] : [],
          nextCursor: 'again',
        }),
      2,
    ],
    [
      'has no end',
      ({ id }, response, count) =>
        sendJson(response, id, { tools: [{ ...ECHO, name: `t${count}` }], nextCursor: String(count) }),
      32,
    ],
    [
      'has a page of very many',
      ({ id }, response) =>
        sendJson(response, id, {
          tools: Array.from({ length: 3_000 }, (_, index) => ({
            name: `t${index}`,
            inputSchema: { type: 'object' },
          })),
          nextCursor: 'more',
        }),
      1,
    ],
  ])('with a list that %s is cut off, and the tenant is warned', async (_name, list, asked) => {
    const { server, open } = await worlds.make({ on: { 'tools/list': list } });
    const opened = await open();
    expect(opened.warnings).toHaveLength(1);
    expect(opened.tools.length).toBeLessThanOrEqual(1_000);
    expect(server.of('tools/list')).toHaveLength(asked);
  });

  it('with a forbidden address', async () => {
    const { open } = await worlds.make();
    const config = { url: 'http://10.0.0.1/mcp', headers_template: {} };
    await expect(open('execution-1', { config })).rejects.toMatchObject({
      fault: 'refused_address',
    });
  });
});
