import type { OnApplicationShutdown, Provider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { GuardedClient } from '#libs/guarded-fetch';
import { OpenApiDriver } from '#libs/tool-sources';
import { WORKER_CONFIG } from '../worker.tokens.js';

/** Connections to the services that tenants describe end with the worker. */
export class OpenApiServers implements OnApplicationShutdown {
  readonly driver: OpenApiDriver;
  private readonly client: GuardedClient;

  constructor({ privateToolHosts }: Pick<AppConfig, 'privateToolHosts'>) {
    this.client = new GuardedClient({ allowLoopback: false, privateHosts: privateToolHosts });
    this.driver = new OpenApiDriver(this.client);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}

export const openApiProvider: Provider = {
  provide: OpenApiServers,
  inject: [WORKER_CONFIG],
  useFactory: (config: AppConfig) => new OpenApiServers(config),
};
