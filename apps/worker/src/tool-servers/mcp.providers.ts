import { dirname } from 'node:path';
import type { OnApplicationShutdown, Provider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { GuardedClient } from '#libs/guarded-fetch';
import { systemClock, systemTimers } from '#libs/kernel';
import { findIsolation, LateSdkConnector, McpDriver, type StdioRules } from '#libs/tool-sources';
import { WORKER_CONFIG } from '../worker.tokens.js';

const MEMORY_BYTES = 1_073_741_824;
const MOST_PROCESSES = 16;
const VERSION = '0.1.0';

/** Sessions and processes end with the worker, after what runs. */
export class McpServers implements OnApplicationShutdown {
  readonly driver: McpDriver;
  private readonly client: GuardedClient;

  /** Throws where processes of tenants would run without isolation, and the operator does not say that they may. */
  constructor({ stdio, privateToolHosts }: Pick<AppConfig, 'stdio' | 'privateToolHosts'>) {
    this.client = new GuardedClient({ allowLoopback: false, privateHosts: privateToolHosts });
    this.driver = new McpDriver({
      connector: new LateSdkConnector({
        client: this.client,
        stdio: stdioRules(stdio),
        version: VERSION,
      }),
      timers: systemTimers,
      now: () => systemClock.monotonic(),
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.driver.close();
    await this.client.close();
  }
}

export const mcpProvider: Provider = {
  provide: McpServers,
  inject: [WORKER_CONFIG],
  useFactory: (config: AppConfig) => new McpServers(config),
};

const NO_ISOLATION =
  'STDIO_SERVERS: this system offers no isolation (unshare and setpriv of util-linux, user namespaces), so the processes of tenants could read the environment of the worker; allow namespaces, unset STDIO_SERVERS, or accept it with STDIO_UNSAFE=true';

function stdioRules({ lines, isUnsafe }: AppConfig['stdio']): StdioRules {
  // The Node that we run by first: `node` and `npx` are those of this installation.
  const path = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
  const isolation = lines.length === 0 ? null : findIsolation(path);
  if (lines.length > 0 && isolation === null && !isUnsafe) throw new Error(NO_ISOLATION);
  return { lines, isolation, memoryBytes: MEMORY_BYTES, mostProcesses: MOST_PROCESSES, path };
}
