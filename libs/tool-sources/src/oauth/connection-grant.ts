import type { OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';

/** A person's grant, with all that is needed to use, refresh and revoke it. Stored encrypted. */
export interface ConnectionGrant {
  /** The client that the tokens were issued to, even if the server's configuration has changed since. */
  readonly client: OAuthClientInformationMixed;
  readonly discovery: OAuthDiscoveryState;
  readonly tokens: OAuthTokens;
}

/** A grant that can be refreshed without the person. */
export type RenewableGrant = ConnectionGrant & { readonly tokens: { readonly refresh_token: string } };

export function canRefresh(grant: ConnectionGrant): grant is RenewableGrant {
  return grant.tokens.refresh_token !== undefined;
}
