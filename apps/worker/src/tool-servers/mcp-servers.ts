import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { RELEASE, type AppConfig } from '#libs/config';
import { GuardedClient } from '#libs/guarded-fetch';
import { systemClock, systemTimers } from '#libs/kernel';
import { LateSdkConnector, McpDriver } from '#libs/tool-sources';
import { WORKER_CONFIG } from '../worker.tokens.js';
import { stdioRules } from './start-stdio.js';

/** MCP sessions and server processes; closed with the worker, after running work. */
@Injectable()
export class McpServers implements OnApplicationShutdown {
  readonly driver: McpDriver;
  private readonly client: GuardedClient;

  /** Throws as `stdioRules` does. */
  constructor(@Inject(WORKER_CONFIG) { stdio, privateToolHosts }: AppConfig) {
    this.client = new GuardedClient({ allowLoopback: false, privateHosts: privateToolHosts });
    this.driver = new McpDriver({
      connector: new LateSdkConnector({
        client: this.client,
        stdio: stdioRules(stdio),
        version: RELEASE,
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
