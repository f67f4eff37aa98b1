import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { mayHaveTakenEffect, ToolOutcomeUnknown } from '#libs/tooling';
import { HostileWorlds, outputOf } from '../../../../test/support/mcp/driver-world.js';
import {
  beginEvents,
  sendEvent,
  sendJson,
  type Script,
} from '../../../../test/support/mcp/hostile-mcp-server.js';
import { callOf, toolContext } from '../../../../test/support/mcp/mcp-world.js';
import { waitFor } from '../../../../test/support/services/wait-for.js';
import { RETRY_BOUNDS } from './bound-retry.js';

const worlds = new HostileWorlds();
const failed = (error: unknown): unknown => error;

afterEach(() => worlds.close());

describe('a call whose server lies', () => {
  const json = (response: Parameters<typeof beginEvents>[0], body: string) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);

  it.each<[string, NonNullable<Script['on']>[string]]>([
    ['hangs up', (_m, response) => response.destroy()],
    ['answers 500', (_m, response) => response.writeHead(500).end('sk-secret')],
    ['answers broken JSON', (_m, response) => json(response, '{"jsonrpc": "2.0", "id"')],
    ['answers another question', (_m, response) => json(response, '{"jsonrpc":"2.0","id":999,"result":{}}')],
    ['answers a page', (_m, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('hi')],
    [
      'answers 500 with an error of no request',
      (_m, response) =>
        response
          .writeHead(500, { 'content-type': 'application/json' })
          .end('{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"sk-secret"}}'),
    ],
    [
      'says that its own connection was closed',
      ({ id }, response) =>
        json(
          response,
          JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message: 'Connection closed' } }),
        ),
    ],
    [
      'answers with what is none',
      ({ id }, response) => json(response, JSON.stringify({ jsonrpc: '2.0', id, result: 7 })),
    ],
    [
      'ends its stream without an answer',
      (_m, response) => {
        beginEvents(response, { method: 'notifications/message', params: { level: 'info', data: 'soon' } });
        response.end();
      },
    ],
    [
      'breaks its stream off',
      (_m, response) => {
        beginEvents(response, { method: 'notifications/message', params: { level: 'info', data: 'soon' } });
        setImmediate(() => response.destroy());
      },
    ],
    [
      'says more than the limit',
      ({ id }, response) =>
        sendJson(response, id, { content: [{ type: 'text', text: 'x'.repeat(11 * 1_024 * 1_024) }] }),
    ],
    [
      'ends its stream again and again',
      (_m, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end('id: 1\nretry: 0\ndata:\n\n');
      },
    ],
  ])('and %s may have taken effect', async (_name, answer) => {
    const { server, open } = await worlds.make({
      on: {
        'tools/call': answer,
        GET: (_m, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.end('id: 2\nretry: 0\ndata:\n\n');
        },
      },
    });
    const failure = await callOf((await open()).tools, 'echo').catch(failed);
    expect(failure).toBeInstanceOf(ToolOutcomeUnknown);
    expect((failure as Error).message).not.toContain('secret');
    expect(server.of('tools/call')).toHaveLength(1);
    expect(server.of('GET').length).toBeLessThan(12);
  });

  it('and accepts, and says nothing, may have taken effect once its time is up', async () => {
    const { server, open } = await worlds.make({
      on: {
        'tools/call': (_m, response) => response.writeHead(202).end(),
        GET: (_m, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.end('id: 2\nretry: 0\ndata:\n\n');
        },
      },
    });
    const opened = await open('execution-1', { limits: { timeout_ms: 1_000, concurrency: 8 } });
    const failure = await callOf(opened.tools, 'echo').catch(failed);
    expect(failure).toBeInstanceOf(ToolOutcomeUnknown);
    expect((failure as Error).message).not.toContain('secret');
    expect(server.of('tools/call')).toHaveLength(1);
    expect(server.of('GET').length).toBeLessThan(12);
  });

  it.each([
    [0, RETRY_BOUNDS.atLeast],
    [86_400_000, RETRY_BOUNDS.atMost],
  ])('and asks to be asked again in %d ms is asked in %d', async (wanted, waited) => {
    const { server, open } = await worlds.make({
      on: {
        'tools/call': (_m, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.end(`id: 1\nretry: ${wanted}\ndata:\n\n`);
        },
      },
    });
    const opened = await open('execution-1', { limits: { timeout_ms: 1_000, concurrency: 8 } });
    const timers = jest.spyOn(globalThis, 'setTimeout');
    try {
      await callOf(opened.tools, 'echo').catch(failed);
      const waits = timers.mock.calls.map(([, ms]) => ms);
      expect(waits).toContain(waited);
      expect(waits).not.toContain(wanted);
    } finally {
      timers.mockRestore();
    }
    expect(server.of('tools/call')).toHaveLength(1);
  });

  it.each([400, 401, 403, 413])('and answers %d has not taken effect; the model reads it', async (status) => {
    const { open } = await worlds.make({
      on: { 'tools/call': (_m, response) => response.writeHead(status).end('sk-secret') },
    });
    expect((await callOf((await open()).tools, 'echo')).result).toEqual({
      status: 'error',
      result: { message: `the tool server cannot be used: the server answered ${status}` },
    });
  });

  it('and answers 429 has not taken effect, and may be asked again a moment later', async () => {
    const { open } = await worlds.make({
      on: { 'tools/call': (_m, response) => response.writeHead(429).end('sk-secret') },
    });
    const failure = await callOf((await open()).tools, 'echo').catch(failed);
    expect(failure).toMatchObject({ name: 'PassingFailure', status: 429 });
    expect(mayHaveTakenEffect(failure)).toBe(false);
  });

  it.each([
    ['answers 500', 'the server answered 500', (_m, response) => response.writeHead(500).end('sk-secret')],
    ['hangs up', 'the connection broke off', (_m, response) => response.destroy()],
    [
      'answers a page',
      'the server answered with a web page (text/html), and does not speak MCP at this address',
      (_m, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('hi'),
    ],
  ] satisfies [string, string, NonNullable<Script['on']>[string]][])(
    'and %s is asked again where that does no harm, and the model reads why',
    async (_name, reason, answer) => {
      const { open } = await worlds.make({ on: { 'tools/call': answer } });
      const opened = await open('execution-1', { tools: { echo: { effect: 'read' } } });
      expect(await callOf(opened.tools, 'echo').catch(failed)).toMatchObject({
        name: 'PassingFailure',
        cause: { name: 'ToolOutcomeUnknown' },
        answer: { result: { result: { message: `the tool server cannot be used: ${reason}` } } },
      });
    },
  );

  it('and is late says so where that does no harm, and goes on with its other tools', async () => {
    const { server, open } = await worlds.make({
      on: {
        'tools/call': ({ id, params }, response) => {
          if (params?.['arguments'] !== undefined && JSON.stringify(params).includes('slow')) return;
          sendJson(response, id, { content: [{ type: 'text', text: 'done' }] });
        },
      },
    });
    const opened = await open('execution-1', { tools: { echo: { effect: 'read' } } });
    const late = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(late.signal);
    const slow = callOf(opened.tools, 'echo', toolContext(), { text: 'slow' });
    timeout.mockRestore();
    await waitFor(() => server.of('tools/call').length, { description: 'the slow call' });
    late.abort(new DOMException('late', 'TimeoutError'));
    expect((await slow).result.result).toEqual({
      message: 'the tool server cannot be used: it did not answer within 10.0 s',
    });
    expect(outputOf(await callOf(opened.tools, 'echo', toolContext(), { text: 'fast' }))).toBe('done');
    expect(server.of('initialize')).toHaveLength(1);
  });

  it('and is not there any more has not taken effect', async () => {
    const { server, open } = await worlds.make();
    const opened = await open();
    await server.close();
    const failure = await callOf(opened.tools, 'echo').catch(failed);
    expect(failure).toMatchObject({ name: 'PassingFailure', cause: { name: 'McpFailure', kind: 'unsent' } });
    expect(mayHaveTakenEffect(failure)).toBe(false);
  });

  it.each<[string, object, number]>([
    ['finds the arguments wrong', { error: { code: -32_602, message: 'id is missing' } }, 200],
    ['has an error inside', { error: { code: -32_603, message: 'id is missing' } }, 200],
    ['has an error of its own', { error: { code: 7, message: 'id is missing' } }, 200],
    ['says it with a status', { error: { code: -32_603, message: 'id is missing' } }, 500],
    ['says it of no request', { id: null, error: { code: -32_603, message: 'id is missing' } }, 200],
    ['has a code that is none', { error: { code: 'E_FAILED', message: 'id is missing' } }, 200],
    ['says a text only', { error: 'id is missing' }, 200],
    ['has none of its usual codes left', { error: { code: -32_000, message: 'id is missing' } }, 200],
    ['refuses it with a status', { id: null, error: { code: -32_000, message: 'id is missing' } }, 400],
  ])('and %s says so to the model', async (_name, said, status) => {
    const { open } = await worlds.make({
      on: {
        'tools/call': ({ id }, response) =>
          response
            .writeHead(status, { 'content-type': 'application/json' })
            .end(JSON.stringify({ jsonrpc: '2.0', id, ...said })),
      },
    });
    const returned = await callOf((await open()).tools, 'echo');
    expect(returned.result.status).toBe('error');
    expect(outputOf(returned)).toBe('the tool reports an error:\nid is missing');
  });

  it('and answers twice has answered the first time', async () => {
    const { open } = await worlds.make({
      on: {
        'tools/call': ({ id }, response) => {
          beginEvents(response);
          for (const text of ['first', 'second'])
            sendEvent(response, { id, result: { content: [{ type: 'text', text }] } });
          response.end();
        },
      },
    });
    expect(outputOf(await callOf((await open()).tools, 'echo'))).toBe('first');
  });

  it('and sends a byte now and then is left when its time is up: nothing stays open', async () => {
    let isClosed = false;
    const { server, open } = await worlds.make({
      on: {
        'tools/call': (_m, response) => {
          beginEvents(response);
          const drip = setInterval(() => response.write(':\n'), 20);
          response.on('close', () => {
            clearInterval(drip);
            isClosed = true;
          });
        },
      },
    });
    const opened = await open();
    const stop = new AbortController();
    const call = callOf(opened.tools, 'echo', toolContext({ signal: stop.signal })).catch(failed);
    await waitFor(() => server.of('tools/call').length, { description: 'the call' });
    stop.abort();
    expect(await call).toBeInstanceOf(ToolOutcomeUnknown);
    await waitFor(() => isClosed, { description: 'the end of the stream' });
    await waitFor(() => server.of('notifications/cancelled').length, { description: 'the cancellation' });
  });

  it('and asks us something without end is left', async () => {
    const { driver, open } = await worlds.make({
      on: {
        'tools/call': (_m, response) => {
          beginEvents(response);
          for (let id = 0; id < 300; id += 1) sendEvent(response, { id: `p${id}`, method: 'ping' });
        },
      },
    });
    const opened = await open();
    const failure = await callOf(opened.tools, 'echo').catch(failed);
    expect(failure).toBeInstanceOf(ToolOutcomeUnknown);
    await waitFor(() => driver.connections === 0, { description: 'no connection' });
  });
});
