import { GuardedClient } from '#libs/guarded-fetch';
import { systemTimers } from '#libs/kernel';
import { LateSdkConnector, McpDriver, type StdioRules } from '#libs/tool-sources';
import { readToolReturn, type OpenedServer, type ToolReturn, type ToolServer } from '#libs/tooling';
import { HostileMcpServer, type Script } from './hostile-mcp-server.js';
import { httpServer, NO_CREDENTIALS, runOf } from './mcp-world.js';

const NO_PROCESSES: StdioRules = { lines: [], isolation: null, memoryBytes: 0, mostProcesses: 0, path: '' };

/** A driver like the worker's, on connections of its own. */
export function makeMcpDriver(stdio: StdioRules = NO_PROCESSES) {
  const client = new GuardedClient({ allowLoopback: true, privateHosts: [] });
  const driver = new McpDriver({
    connector: new LateSdkConnector({ client, stdio, version: '1.2.3' }),
    timers: systemTimers,
    now: () => performance.now(),
  });
  const close = async (): Promise<void> => {
    await driver.close();
    await client.close();
  };
  return { driver, close };
}

/** Scripted servers, each with a driver, until all of them are closed. */
export class HostileWorlds {
  private readonly endings: (() => Promise<void>)[] = [];

  async make(script: Script = {}) {
    const server = await HostileMcpServer.start(script);
    const { driver, close } = makeMcpDriver();
    this.endings.push(close, () => server.close());
    const row = (more: Partial<ToolServer> = {}): ToolServer => httpServer(server.url, more);
    const open = (
      run: string | null = 'execution-1',
      more: Partial<ToolServer> = {},
      headers: Readonly<Record<string, string>> = {},
    ): Promise<OpenedServer> =>
      driver.open(
        row(more),
        { ...NO_CREDENTIALS, headers },
        run === null ? null : runOf(run),
        new AbortController().signal,
      );
    return { server, driver, row, open };
  }

  async close(): Promise<void> {
    for (const end of this.endings.splice(0)) await end();
  }
}

/** The output of a tool as the model reads it. */
export function outputOf(returned: ToolReturn): string {
  return readToolReturn(returned, 65_536).output;
}
