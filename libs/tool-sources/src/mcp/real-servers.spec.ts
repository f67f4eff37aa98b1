import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Progress, ToolServer } from '#libs/tooling';
import {
  callOf,
  NO_CREDENTIALS,
  runOf,
  toolContext,
  toolServer,
} from '../../../../test/support/mcp/mcp-world.js';
import { makeMcpDriver, outputOf } from '../../../../test/support/mcp/driver-world.js';
import { serveRealMcp, type ServedMcp } from '../../../../test/support/mcp/serve-real-mcp.js';
import { waitFor } from '../../../../test/support/services/wait-for.js';
import type { McpDriver } from './mcp-driver.js';

const STDIO = join(import.meta.dirname, '../../../../test/support/mcp/real-stdio-server.mjs');
const signal = new AbortController().signal;
let served: ServedMcp;
let driver: McpDriver;
let close: () => Promise<void>;

beforeAll(async () => {
  served = await serveRealMcp();
});

beforeEach(() => {
  const path = `${dirname(process.execPath)}:/usr/bin:/bin`;
  ({ driver, close } = makeMcpDriver({
    lines: [{ tenantId: null, command: 'node', args: [STDIO], isOpen: false }],
    isolation: null,
    ...{ memoryBytes: 2 ** 31, mostProcesses: 2, path },
  }));
});

afterEach(() => close());

afterAll(() => served.close());

function open(type: string, config: object) {
  const limits = { timeout_ms: 30_000, concurrency: 1 };
  return driver.open(
    toolServer({ type, config, limits } as unknown as Partial<ToolServer>),
    NO_CREDENTIALS,
    runOf('execution-1'),
    signal,
  );
}

describe.each([
  ['http', '/mcp', 1],
  ['http', '/stateless', 0],
  ['sse', '/sse', 1],
])('a real server by %s at %s', (type, path, sessions) => {
  const openIt = () => open(type, { url: `${served.origin}${path}`, headers_template: {} });

  it('lists its tools and answers, in structure too, and its session is ended with the run', async () => {
    const opened = await openIt();
    expect(opened.warnings).toEqual([]);
    expect(opened.tools.map(({ name, claimedEffect }) => [name, claimedEffect])).toContainEqual([
      'add',
      'read',
    ]);
    const sum = await callOf(opened.tools, 'add', toolContext(), { a: 2, b: 3 });
    expect(outputOf(sum)).toBe('5');
    expect(sum.result).toEqual({ status: 'success', result: { structured_content: { sum: 5 } } });
    expect(outputOf(await callOf(opened.tools, 'fail'))).toBe(
      'the tool reports an error:\nthe printer is on fire',
    );
    expect(outputOf(await callOf(opened.tools, 'meta'))).toContain(
      '"capstan/idempotencyKey":"execution-1.1.0"',
    );
    expect(outputOf(await callOf(opened.tools, 'add', toolContext(), { a: 'two' }))).toMatch(
      /^the tool reports an error/,
    );
    expect(served.sessions.size).toBe(sessions);
    await opened.close();
    await waitFor(() => served.sessions.size === 0, { description: 'no session' });
  });

  it('reports progress, and hears that a call was cancelled', async () => {
    const opened = await openIt();
    const stop = new AbortController();
    const heard: Progress[] = [];
    const events = {
      progress: (progress: Progress) => {
        heard.push(progress);
        stop.abort();
      },
    };
    const call = callOf(opened.tools, 'wait', toolContext({ signal: stop.signal, events }));
    await expect(call).rejects.toMatchObject({ name: 'ToolOutcomeUnknown' });
    expect(heard).toEqual([{ done: 1, total: 2, message: 'half of it' }]);
    await opened.close();
  });
});

it.each([
  ['http', '/mcp'],
  ['sse', '/sse'],
])('a real server by %s that wants to ask us something is refused', async (type, path) => {
  const opened = await open(type, { url: `${served.origin}${path}`, headers_template: {} });
  expect(outputOf(await callOf(opened.tools, 'ask'))).toBe('[-32601,-32601,-32601]');
});

it('a real server by sse that ends its stream is connected to anew, and nothing is kept of the dead connection', async () => {
  const opened = await open('sse', { url: `${served.origin}/sse`, headers_template: {} });
  expect(driver.connections).toBe(1);
  for (const session of served.sessions.values()) await (session as { close(): Promise<void> }).close();
  await waitFor(() => driver.connections === 0, { description: 'no connection' });
  expect(outputOf(await callOf(opened.tools, 'add', toolContext(), { a: 2, b: 3 }))).toBe('5');
  expect([driver.connections, served.sessions.size]).toEqual([1, 1]);
});

it('a real server that is a process lists its tools and answers', async () => {
  const opened = await open('stdio', { command: 'node', args: [STDIO], env_template: {} });
  expect(outputOf(await callOf(opened.tools, 'add', toolContext(), { a: 2, b: 3 }))).toBe('5');
});
