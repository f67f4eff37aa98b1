import type { OnApplicationShutdown, Provider } from '@nestjs/common';
import { GuardedClient } from '#libs/guarded-fetch';
import { OpenApiDriver } from '#libs/tool-sources';

/** Connections to the services that tenants describe end with the worker. */
export class OpenApiServers implements OnApplicationShutdown {
  readonly driver: OpenApiDriver;
  private readonly client = new GuardedClient({ allowLoopback: false, privateHosts: [] });

  constructor() {
    this.driver = new OpenApiDriver(this.client);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}

export const openApiProvider: Provider = { provide: OpenApiServers, useFactory: () => new OpenApiServers() };
