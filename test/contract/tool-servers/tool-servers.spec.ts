import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describe } from '@jest/globals';
import { GuardedClient } from '#libs/guarded-fetch';
import { OpenApiDriver } from '#libs/tool-sources';
import { ToolOutcomeUnknown, ToolServerFailure, type ToolServer } from '#libs/tooling';
import { aServerTool, aToolServer } from '../../support/builders/tool-server.js';
import { ScriptedDriver } from '../../support/fakes/scripted-driver.js';
import { makeMcpDriver } from '../../support/mcp/driver-world.js';
import { serveRealMcp } from '../../support/mcp/serve-real-mcp.js';
import { registerShopTools } from '../../support/mcp/shop-tools.mjs';
import { createPatientServer } from '../../support/services/patient-server.js';
import type { ToolServerBackend } from './tool-server-backend.js';
import { describeToolServers } from './tool-servers.contract.js';

const NOWHERE = 'http://127.0.0.1:1';
const STDIO = join(import.meta.dirname, '../../support/mcp/shop-stdio-server.mjs');

describe('the driver that tests give a script', () => {
  describeToolServers(() => Promise.resolve(scripted()));
});
describe('MCP by streamable HTTP with sessions', () => {
  describeToolServers(() => byMcp('http', '/mcp'));
});
describe('MCP by streamable HTTP without sessions', () => {
  describeToolServers(() => byMcp('http', '/stateless'));
});
describe('MCP by SSE', () => {
  describeToolServers(() => byMcp('sse', '/sse'));
});
describe('MCP by a process', () => {
  describeToolServers(() => Promise.resolve(byProcess()));
});
describe('an HTTP service by its description', () => {
  describeToolServers(byDescription);
});

function scripted(): ToolServerBackend {
  const counts = { begun: 0, given: 0 };
  const says = (text: string, status: 'success' | 'error' = 'success') =>
    Promise.resolve({
      result: { status, result: {} },
      outputs: [{ type: 'text' as const, text }],
    });
  const tools = [
    aServerTool('find', { run: (input) => says(`found ${(input as { word: string }).word}`) }),
    aServerTool('fail', { run: () => says('out of paper', 'error') }),
    aServerTool('flood', { run: () => says('x'.repeat(10 * 1_024 * 1_024)) }),
    aServerTool('drop', { run: () => Promise.reject(new ToolOutcomeUnknown('broke off')) }),
    aServerTool('hang', {
      run: async (_input, { signal }) => {
        signal.throwIfAborted();
        counts.begun += 1;
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            counts.given += 1;
            reject(new ToolOutcomeUnknown('given up'));
          });
        });
      },
    }),
  ];
  const driver = new ScriptedDriver(({ name }) => {
    const cause = Object.assign(new Error('nobody'), { code: 'ECONNREFUSED' });
    if (name === 'nowhere') throw new ToolServerFailure('unreachable', 'nobody listens', { cause });
    return { tools };
  });
  return {
    ...{ driver, server: aToolServer('shop'), nowhere: aToolServer('nowhere') },
    held: () => driver.held.size,
    hanging: () => counts,
    close: () => Promise.resolve(),
  };
}

async function byMcp(type: 'http' | 'sse', path: string): Promise<ToolServerBackend> {
  const counts = { begun: 0, given: 0 };
  const served = await serveRealMcp(undefined, () => {
    const server = new McpServer({ name: 'shop', version: '1.0.0' });
    registerShopTools(server, {
      drop: () => served.drop(),
      onHang: () => (counts.begun += 1),
      onGivenUp: () => (counts.given += 1),
    });
    return server;
  });
  const { driver, close } = makeMcpDriver();
  const at = (url: string): ToolServer => aToolServer('shop', { connection: { type, config: { url } } });
  return {
    ...{ driver, server: at(served.origin + path), nowhere: at(`${NOWHERE}/mcp`) },
    isDeaf: path === '/stateless',
    held: () => served.sessions.size,
    hanging: () => counts,
    close: async () => {
      await close();
      await served.close();
    },
  };
}

function byProcess(): ToolServerBackend {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-shop-'));
  const file = join(folder, 'calls');
  writeFileSync(file, '');
  const path = `${dirname(process.execPath)}:/usr/bin:/bin`;
  const line = { tenantId: null, command: 'node', args: [STDIO], isOpen: true };
  const rules = { lines: [line], isolation: null, memoryBytes: 2 ** 31, mostProcesses: 4, path };
  const { driver, close } = makeMcpDriver(rules);
  const count = (what: string): number =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line === what).length;
  const started = (args: readonly string[]): ToolServer =>
    aToolServer('shop', { connection: { type: 'stdio', config: { command: 'node', args } } });
  return {
    ...{ driver, server: started([STDIO, file]), nowhere: null },
    held: () => driver.connections,
    hanging: () => ({ begun: count('begun'), given: count('given') }),
    close: async () => {
      await close();
      rmSync(folder, { recursive: true });
    },
  };
}

const WORD = { name: 'word', in: 'query', required: true, schema: { type: 'string' } };
const DESCRIPTION = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/find': { get: { operationId: 'find', parameters: [WORD] } },
    '/fail': { post: { operationId: 'fail' } },
    '/flood': { get: { operationId: 'flood' } },
    '/drop': { post: { operationId: 'drop' } },
    '/hang': { post: { operationId: 'hang' } },
  },
});

async function byDescription(): Promise<ToolServerBackend> {
  const counts = { begun: 0, given: 0 };
  const service = createPatientServer();
  service.on('request', (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    if (pathname === '/drop') response.destroy();
    else if (pathname === '/hang') {
      counts.begun += 1;
      response.on('close', () => (counts.given += 1));
    } else if (pathname === '/fail') response.writeHead(409).end('out of paper');
    else if (pathname === '/flood') response.end(Buffer.alloc(12 * 1_024 * 1_024, 'x'));
    else response.end(`found ${searchParams.get('word')}`);
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const client = new GuardedClient({ allowLoopback: true, privateHosts: [] });
  const at = (base_url: string): ToolServer =>
    aToolServer('shop', { connection: { type: 'openapi', config: { document: DESCRIPTION, base_url } } });
  return {
    driver: new OpenApiDriver(client),
    server: at(`http://127.0.0.1:${(service.address() as AddressInfo).port}`),
    nowhere: at(NOWHERE),
    // HTTP connections belong to the client and not to a run, so only unfinished calls count.
    held: () => counts.begun - counts.given,
    hanging: () => counts,
    close: async () => {
      await client.close();
      service.closeAllConnections();
      await new Promise((resolve) => service.close(resolve));
    },
  };
}
