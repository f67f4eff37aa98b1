import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ServerCredentials } from '#libs/tooling';
import { ManualTime } from '../../../../test/support/fakes/manual-time.js';
import {
  callOf,
  httpServer,
  NO_CREDENTIALS,
  runOf,
  toolContext,
} from '../../../../test/support/mcp/mcp-world.js';
import { McpConnection, McpConnector, type McpCall, type McpServer } from './mcp-connection.js';
import { McpDriver } from './mcp-driver.js';

/** Tenant, server and token that a call uses. */
interface Owner {
  readonly tenant: string;
  readonly server: string;
  readonly token: string;
}

/** Records its callers, and whether it was closed during a call. */
class WatchedConnection extends McpConnection {
  override readonly toolsVersion = 0;
  override isClosed = false;
  private readonly ending = Promise.withResolvers<undefined>();
  override readonly closed = this.ending.promise;
  readonly runs = new Set<string>();
  readonly heard = new Set<string>();
  isBusy = 0;
  wasClosedAtWork = false;

  constructor(
    readonly owner: Owner,
    override readonly hasState: boolean,
  ) {
    super();
  }

  override listTools(): Promise<unknown> {
    return Promise.resolve({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] });
  }

  override async callTool({ meta, input }: McpCall): Promise<unknown> {
    this.runs.add(String(meta['capstan/idempotencyKey']));
    this.heard.add(String(input['owner']));
    this.isBusy += 1;
    for (let turn = 0; turn < Number(input['turns']); turn += 1) await Promise.resolve();
    this.isBusy -= 1;
    return { content: [] };
  }

  override close(): Promise<void> {
    this.wasClosedAtWork ||= this.isBusy > 0;
    this.isClosed = true;
    this.ending.resolve(undefined);
    return Promise.resolve();
  }
}

class WatchedConnector extends McpConnector {
  readonly made: WatchedConnection[] = [];

  override async connect(server: McpServer, { headers }: ServerCredentials): Promise<McpConnection> {
    const owner = { tenant: server.tenantId, server: server.id, token: headers['authorization'] ?? '' };
    await Promise.resolve();
    const connection = new WatchedConnection(owner, server.id.startsWith('stateful'));
    this.made.push(connection);
    return connection;
  }
}

const runs = fc.array(
  fc.record({
    tenant: fc.constantFrom('tenant-1', 'tenant-2', 'tenant-3'),
    server: fc.constantFrom('stateful-1', 'stateful-2', 'stateless-1', 'stateless-2'),
    token: fc.constantFrom('', 'Bearer a', 'Bearer b'),
    calls: fc.array(fc.nat({ max: 12 }), { maxLength: 4 }),
    startsAfter: fc.nat({ max: 30 }),
  }),
  { minLength: 1, maxLength: 25 },
);

describe('concurrent callers', () => {
  it('speaks on no connection of another tenant, server, token or, where it has a state, run, and none is closed under work', async () => {
    await fc.assert(
      fc.asyncProperty(
        runs,
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 4 }),
        async (all, most, mostPerTenant) => {
          const time = new ManualTime();
          const connector = new WatchedConnector();
          const limits = { most, mostPerTenant, idleMs: 1_000, longestMs: 5_000 };
          const driver = new McpDriver({ connector, limits, timers: time, now: () => time.now() });
          await Promise.all(
            all.map(async ({ tenant, server, token, calls, startsAfter }, index) => {
              for (let turn = 0; turn < startsAfter; turn += 1) await Promise.resolve();
              const row = httpServer('http://tool.example/mcp', { tenantId: tenant, id: server });
              const headers = { authorization: token };
              const run = { ...runOf(`run-${index}`), tenantId: tenant };
              const stop = new AbortController().signal;
              // An opening may be refused when the pool is full.
              const opened = await driver
                .open(row, { ...NO_CREDENTIALS, headers }, run, stop)
                .catch(() => null);
              if (opened === null) return;
              const owner = JSON.stringify({ tenant, server, token });
              for (const turns of calls)
                await callOf(opened.tools, 'echo', toolContext({ idempotencyKey: `run-${index}` }), {
                  owner,
                  turns,
                }).catch(() => null);
              await opened.close();
            }),
          );
          for (const { owner, heard, runs: spoke, hasState, wasClosedAtWork } of connector.made) {
            expect([...heard].every((each) => each === JSON.stringify(owner))).toBe(true);
            if (hasState) expect(spoke.size).toBeLessThanOrEqual(1);
            expect(wasClosedAtWork).toBe(false);
          }
          expect(driver.connections).toBeLessThanOrEqual(most);
          await driver.close();
          expect([driver.connections, time.isIdle, connector.made.every(({ isClosed }) => isClosed)]).toEqual(
            [0, true, true],
          );
        },
      ),
      { numRuns: 100 },
    );
  });
});
