import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GuardedClient } from '#libs/guarded-fetch';
import { ServerAccess, type McpDriver } from '#libs/tool-sources';
import { ToolServerFailure, type ServerCredentials, type ToolServer } from '#libs/tooling';
import { makeMcpDriver, outputOf } from '../../support/mcp/driver-world.js';
import { callOf, httpServer, NO_CREDENTIALS, runOf, toolContext } from '../../support/mcp/mcp-world.js';
import { MemoryClientTokens } from '../../support/oauth/client-token-shelf.js';
import { authFor, type ScenarioContext } from '../../support/oauth/conformance-auth.js';
import { ConsentingUser } from '../../support/oauth/consenting-user.js';
import { MemoryConnections } from '../../support/oauth/memory-connections.js';

const ROOT = join(import.meta.dirname, '../../..');
const SUITE = join(ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const RELAY = join(ROOT, 'test/support/mcp/conformance-relay.mjs');
const MAX_MS = 180_000;

/** Scenarios that must fail, because the client leaves them out deliberately, with the reason. */
const expected = JSON.parse(
  readFileSync(join(import.meta.dirname, 'conformance-expected-failures.json'), 'utf8'),
) as Readonly<Record<string, string>>;

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

let relay: Server;
let driver: McpDriver;
let close: () => Promise<void>;
let folder: string;
let scenarios: ReadonlyMap<string, readonly Check[]>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
  ({ driver, close } = makeMcpDriver());
  relay = createServer((request, response) => {
    request.setEncoding('utf8');
    let text = '';
    request.on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const { server, scenario, context } = JSON.parse(text) as Played;
      play(server, scenario, context).then(
        () => response.end('played'),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    });
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const relayUrl = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
  await runSuite(relayUrl, ['--suite', 'all']);
  // The suite starts all scenarios at once, and a busy machine exceeds their time limits: failed ones run again alone.
  for (const name of unexpectedlyFailed(readChecks())) await runSuite(relayUrl, ['--scenario', name]);
  scenarios = readChecks();
}, MAX_MS);

afterAll(async () => {
  await close();
  relay.closeAllConnections();
  relay.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Played {
  readonly server: string;
  readonly scenario: string;
  readonly context: ScenarioContext;
}

/** Maximum number of times that the user connects in one scenario. */
const MAX_CONSENTS = 3;

/** Plays a scenario: connects, lists the tools, and calls each tool with the arguments that it takes. */
async function play(url: string, scenario: string, context: ScenarioContext): Promise<void> {
  const auth = await authFor(scenario, url, context);
  const server = httpServer('', {
    config: { url, headers_template: {}, ...(auth !== null && { auth }) },
    limits: { timeout_ms: 20_000, concurrency: 1 },
  } as Partial<ToolServer>);
  const client = new GuardedClient({ allowLoopback: true, privateHosts: [] });
  const connections = new MemoryConnections();
  const user = new ConsentingUser(client, connections, url);
  const access = new ServerAccess({ client, clientTokens: new MemoryClientTokens(), connections }).to(
    server,
    {
      user_id: user.id,
    },
  );
  try {
    for (let consents = 0; ; consents += 1) {
      const isDone = await tryOnce(server, { ...NO_CREDENTIALS, ...(access !== null && { access }) });
      if (isDone) return;
      if (consents === MAX_CONSENTS) throw new Error('the server is never content');
      await user.connect(server);
    }
  } finally {
    await client.close();
  }
}

/** Returns false if the user has to connect first, or again. */
async function tryOnce(server: ToolServer, credentials: ServerCredentials): Promise<boolean> {
  const signal = new AbortController().signal;
  try {
    const opened = await driver.open(server, credentials, runOf(JSON.stringify(server.config)), signal);
    try {
      for (const { name } of opened.tools) {
        const returned = await callOf(opened.tools, name, toolContext(), { a: 5, b: 3 });
        if (outputOf(returned).includes('/api/connections/')) return false;
      }
      return true;
    } finally {
      await opened.close();
    }
  } catch (error) {
    if (error instanceof ToolServerFailure && error.fault === 'connection_needed') return false;
    throw error;
  }
}

/** Runs the suite. Its exit code is ignored, because the suite writes the checks of each scenario to `folder`. */
function runSuite(relayUrl: string, chosen: readonly string[]): Promise<void> {
  const command = `"${process.execPath}" "${RELAY}" ${relayUrl}`;
  const args = [SUITE, 'client', ...chosen, '--timeout', '60000', '-o', folder, '--command', command];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder, timeout: MAX_MS }, () => resolve());
  });
}

/** The latest checks of each scenario by name; the name of a folder is the scenario's name and the time. */
function readChecks(): Map<string, readonly Check[]> {
  const found = new Map<string, readonly Check[]>();
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!path.endsWith('checks.json')) continue;
    const name = path.replace(/-\d{4}-\d{2}-\d{2}T[^/]*\/checks\.json$/, '');
    found.set(name, JSON.parse(readFileSync(join(folder, path), 'utf8')) as Check[]);
  }
  return found;
}

/** True for a late retry, which a machine under load causes and the scenario does not test. */
function isLate({ id, errorMessage = '' }: Check): boolean {
  return id === 'client-sse-retry-timing' && errorMessage.includes('late');
}

function hasFailed(checks: readonly Check[]): boolean {
  return checks.some((check) => ['FAILURE', 'WARNING'].includes(check.status) && !isLate(check));
}

function unexpectedlyFailed(all: ReadonlyMap<string, readonly Check[]>): string[] {
  return [...all].filter(([name, checks]) => hasFailed(checks) && !(name in expected)).map(([name]) => name);
}

describe('the conformance suite of the protocol, as a client', () => {
  it('passes but for what is written down, with a reason, and fails in all of that', () => {
    const failed = [...scenarios].filter(([, checks]) => hasFailed(checks)).map(([name]) => name);
    expect(failed.sort()).toEqual(Object.keys(expected).sort());
    expect(Object.values(expected).every((reason) => reason.length > 20)).toBe(true);
  });

  it.each([
    ...['initialize', 'tools_call', 'sse-retry', 'auth/metadata-default', 'auth/client-credentials-basic'],
    ...['auth/scope-step-up', 'auth/pre-registration'],
  ])('passes %s, and was really asked', (name) => {
    const checks = scenarios.get(name) ?? [];
    expect(checks.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThan(0);
    expect(checks.filter((check) => check.status === 'FAILURE' && !isLate(check))).toEqual([]);
  });
});
