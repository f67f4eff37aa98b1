import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { GuardedClient } from '#libs/guarded-fetch';
import { WORKER_CONFIG } from '../worker.tokens.js';

/** Client of domains' tools for servers that tenants configure; closed with the worker. */
@Injectable()
export class DomainServers implements OnApplicationShutdown {
  private readonly client: GuardedClient;

  constructor(@Inject(WORKER_CONFIG) { privateToolHosts }: AppConfig) {
    this.client = new GuardedClient({ allowLoopback: false, privateHosts: privateToolHosts });
  }

  readonly fetchFor = (tenantId: string): typeof fetch =>
    this.client.fetchFor({ tenantId, mostRedirects: 0, needsOwnConnection: () => true });

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}
