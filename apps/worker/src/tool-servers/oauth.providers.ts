import type { OnApplicationShutdown, Provider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { GuardedClient } from '#libs/guarded-fetch';
import { ConnectionGrantStore, ToolServerOAuthStore } from '#libs/persistence';
import { parseKeyring, SecretBox } from '#libs/secrets';
import { ServerAccess } from '#libs/tool-sources';
import { DataSource } from 'typeorm';
import { SealedConnections } from '../connections/sealed-connections.js';
import { WORKER_CONFIG } from '../worker.tokens.js';
import { SealedClientTokens } from './sealed-client-tokens.js';

/** Connections to authorization servers end with the worker. */
export class AuthorizationServers implements OnApplicationShutdown {
  readonly client: GuardedClient;

  constructor({ privateToolHosts }: Pick<AppConfig, 'privateToolHosts'>) {
    this.client = new GuardedClient({ allowLoopback: false, privateHosts: privateToolHosts });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}

export const oauthProviders: Provider[] = [
  {
    provide: AuthorizationServers,
    inject: [WORKER_CONFIG],
    useFactory: (config: AppConfig) => new AuthorizationServers(config),
  },
  {
    provide: ServerAccess,
    inject: [DataSource, WORKER_CONFIG, AuthorizationServers],
    useFactory: (
      dataSource: DataSource,
      { encryptionKey }: AppConfig,
      { client }: AuthorizationServers,
    ): ServerAccess => {
      const box = encryptionKey === null ? null : new SecretBox(parseKeyring(encryptionKey));
      return new ServerAccess({
        client,
        clientTokens: new SealedClientTokens(new ToolServerOAuthStore(dataSource), box),
        connections: new SealedConnections(new ConnectionGrantStore(dataSource), box),
      });
    },
  },
];
