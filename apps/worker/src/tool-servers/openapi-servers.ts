import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { GuardedClient } from '#libs/guarded-fetch';
import { OpenApiDriver } from '#libs/tool-sources';
import { WORKER_CONFIG } from '../worker.tokens.js';

/** Client for tenants' OpenAPI services; closed with the worker. */
@Injectable()
export class OpenApiServers implements OnApplicationShutdown {
  readonly driver: OpenApiDriver;
  private readonly client: GuardedClient;

  constructor(@Inject(WORKER_CONFIG) { privateToolHosts }: AppConfig) {
    this.client = new GuardedClient({ allowLoopback: false, privateHosts: privateToolHosts });
    this.driver = new OpenApiDriver(this.client);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}
