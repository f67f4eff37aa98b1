import type { GuardedClient } from '#libs/guarded-fetch';
import type { AccessTokens, Executor, OAuthConfig, ToolServer } from '#libs/tooling';
import { ClientTokens, type ClientTokenShelf } from './client-tokens.js';
import { ConnectionTokens, AnonymousTokens, type ConnectionShelf } from './connection-tokens.js';
import { isGood } from './issued-token.js';
import { fetchClientToken } from './late-oauth.js';
import { oauthFetch } from './oauth-fetch.js';
import { SharedWork } from './shared-work.js';

export interface ServerAccessOptions {
  /** Guarded HTTP client. */
  readonly client: Pick<GuardedClient, 'fetchFor'>;
  readonly clientTokens: ClientTokenShelf;
  readonly connections: ConnectionShelf;
}

/** Selects the access tokens for servers that require OAuth. One instance per process. */
export class ServerAccess {
  private readonly underWay = new SharedWork<string>();

  constructor(private readonly options: ServerAccessOptions) {}

  /**
   * Access tokens for a server; null if it requires none. Fetches no token yet.
   *
   * @param executor the person that the run acts for; null if there is none
   */
  to(server: ToolServer, executor: Pick<Executor, 'user_id'> | null): AccessTokens | null {
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
    if (executor === null || executor.user_id === '') return new AnonymousTokens();
    const { user_id: userId } = executor;
    return new ConnectionTokens({
      ...{ server, userId, config: auth, shelf: connections, underWay: this.underWay, makeFetch },
    });
  }
}

/** URL and OAuth configuration of a server; null if it requires no access tokens. */
export function authOf(server: ToolServer): { readonly url: string; readonly auth: OAuthConfig } | null {
  if (server.type === 'stdio' || server.type === 'builtin' || server.config.auth === undefined) return null;
  const url = server.type === 'openapi' ? server.config.base_url : server.config.url;
  return url === undefined ? null : { url, auth: server.config.auth };
}
