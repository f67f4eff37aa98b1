import type { GuardedClient } from '#libs/guarded-fetch';
import type { AccessTokens, OAuthConfig, ToolExecutor, ToolServer } from '#libs/tooling';
import { ClientTokens, type ClientTokenShelf } from './client-tokens.js';
import { ConnectionTokens, NobodysTokens, type ConnectionShelf } from './connection-tokens.js';
import { isGood } from './issued-token.js';
import { fetchClientToken } from './late-oauth.js';
import { oauthFetch } from './oauth-fetch.js';
import { SharedWork } from './shared-work.js';

export interface ServerAccessOptions {
  /** The one way out. */
  readonly client: Pick<GuardedClient, 'fetchFor'>;
  readonly clientTokens: ClientTokenShelf;
  readonly connections: ConnectionShelf;
}

/** How runs are let in by servers that ask for OAuth access tokens. One for a process. */
export class ServerAccess {
  private readonly underWay = new SharedWork<string>();

  constructor(private readonly options: ServerAccessOptions) {}

  /**
   * Null where the server asks for none. Nothing is asked for yet.
   *
   * @param executor on whose behalf the server is called; null for nobody's
   */
  to(server: ToolServer, executor: Pick<ToolExecutor, 'user_id'> | null): AccessTokens | null {
    const wanted = authOf(server);
    if (wanted === null) return null;
    const { url, auth } = wanted;
    const { client, clientTokens, connections } = this.options;
    const makeFetch = (): typeof fetch => oauthFetch(client, server.tenantId);
    if (auth.grant === 'client_credentials')
      return new ClientTokens({
        ...{ server, shelf: clientTokens, underWay: this.underWay, isGood },
        fetchToken: (challenge) => fetchClientToken(url, auth, challenge, makeFetch()),
      });
    if (executor === null || executor.user_id === '') return new NobodysTokens();
    const { user_id: userId } = executor;
    return new ConnectionTokens({
      ...{ server, userId, config: auth, shelf: connections, underWay: this.underWay, makeFetch },
    });
  }
}

/** Where a server is that wants tokens, and how it gets them. */
export function authOf(server: ToolServer): { readonly url: string; readonly auth: OAuthConfig } | null {
  if (server.type === 'stdio' || server.type === 'builtin' || server.config.auth === undefined) return null;
  const url = server.type === 'openapi' ? server.config.base_url : server.config.url;
  return url === undefined ? null : { url, auth: server.config.auth };
}
