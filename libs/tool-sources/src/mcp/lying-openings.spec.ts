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
  it.each<[string, Script['on'], { fault: string }]>([
    ['401', { initialize: (_m, response) => response.writeHead(401).end() }, { fault: 'unauthorized' }],
    ['404', { initialize: (_m, response) => response.writeHead(404).end() }, { fault: 'refused' }],
    [
      'with a page for people',
      { initialize: (_m, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hi') },
      { fault: 'unreachable' },
    ],
    [
      'with broken JSON',
      {
        initialize: (_m, response) =>
          response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc'),
      },
      { fault: 'unreachable' },
    ],
    [
      'with a revision that there is not',
      {
        initialize: ({ id }, response) =>
          sendJson(response, id, { protocolVersion: '1999-01-01', capabilities: {}, serverInfo: {} }),
      },
      { fault: 'unreachable' },
    ],
    [
      'with an error',
      {
        initialize: ({ id }, response) =>
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_603, message: 'sk-secret' } })),
      },
      { fault: 'protocol' },
    ],
    ['by hanging up', { initialize: (_m, response) => response.destroy() }, { fault: 'unreachable' }],
    [
      'by a stream that ends with nothing',
      {
        initialize: (_m, response) => {
          beginEvents(response);
          response.end();
        },
      },
      { fault: 'unreachable' },
    ],
    [
      'with no list of tools',
      { 'tools/list': ({ id }, response) => sendJson(response, id, { tools: 'many' }) },
      { fault: 'unreachable' },
    ],
    [
      'with more than anybody reads',
      { 'tools/list': ({ id }, response) => sendJson(response, id, { tools: [], huge }) },
      { fault: 'unreachable' },
    ],
    [
      'by a redirect to another address',
      {
        initialize: (_m, response) =>
          response.writeHead(307, { location: 'http://169.254.169.254/latest' }).end(),
      },
      { fault: 'refused' },
    ],
  ])('%s', async (_name, on, fault) => {
    const { driver, open } = await worlds.make({ hasSessions: true, ...(on && { on }) });
    const failure = await open().catch(failed);
    expect(failure).toMatchObject({ name: 'ToolServerFailure', ...fault });
    expect((failure as Error).message).not.toMatch(/secret|127\.0\.0\.1|169\.254|SyntaxError/);
    await waitFor(() => driver.connections === 0, { description: 'nothing held' });
  });

  it('by not answering at all is given up when its time is up, or when nobody waits any more', async () => {
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

  it('stands where nobody may go', async () => {
    const { open } = await worlds.make();
    const config = { url: 'http://10.0.0.1/mcp', headers_template: {} };
    await expect(open('execution-1', { config })).rejects.toMatchObject({
      fault: 'refused_address',
    });
  });
});
