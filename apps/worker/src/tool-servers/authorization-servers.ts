import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { GuardedClient } from '#libs/guarded-fetch';
import { WORKER_CONFIG } from '../worker.tokens.js';

/** Client for authorization servers; closed with the worker. */
@Injectable()
export class AuthorizationServers implements OnApplicationShutdown {
  readonly client: GuardedClient;

  constructor(@Inject(WORKER_CONFIG) { privateToolHosts }: AppConfig) {
    this.client = new GuardedClient({ allowLoopback: false, privateHosts: privateToolHosts });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}
