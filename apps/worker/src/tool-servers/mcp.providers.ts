import { dirname } from 'node:path';
import type { OnApplicationShutdown, Provider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { GuardedClient } from '#libs/guarded-fetch';
import { systemClock, systemTimers } from '#libs/kernel';
import { LateSdkConnector, McpDriver, type StdioRules } from '#libs/tool-sources';
import { WORKER_CONFIG } from '../worker.tokens.js';

const MEMORY_BYTES = 1_073_741_824;
const MOST_PROCESSES = 16;
const VERSION = '0.1.0';

/** Sessions and processes end with the worker, after what runs. */
export class McpServers implements OnApplicationShutdown {
  readonly driver: McpDriver;
  private readonly client: GuardedClient;

  constructor({ stdioCommands, privateToolHosts }: Pick<AppConfig, 'stdioCommands' | 'privateToolHosts'>) {
    this.client = new GuardedClient({ allowLoopback: false, privateHosts: privateToolHosts });
    this.driver = new McpDriver({
      connector: new LateSdkConnector({
        client: this.client,
        stdio: stdioRules(stdioCommands),
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

function stdioRules(commands: readonly string[]): StdioRules {
  // The Node that we run by first: `node` and `npx` are those of this installation.
  const path = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
  return { commands, memoryBytes: MEMORY_BYTES, mostProcesses: MOST_PROCESSES, path };
}
