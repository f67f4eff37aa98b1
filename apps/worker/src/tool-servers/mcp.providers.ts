import type { OnApplicationShutdown, Provider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { GuardedClient } from '#libs/guarded-fetch';
import { systemClock, systemTimers } from '#libs/kernel';
import { LateSdkConnector, McpDriver } from '#libs/tool-sources';
import { WORKER_CONFIG } from '../worker.tokens.js';
import { stdioRules } from './start-stdio.js';

const VERSION = '0.1.0';

/** Sessions and processes end with the worker, after what runs. */
export class McpServers implements OnApplicationShutdown {
  readonly driver: McpDriver;
  private readonly client: GuardedClient;

  /** Throws as `stdioRules` does. */
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
