import type { OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';

/** What a person has let us have, and as whom: all that is needed to use, renew and revoke it. Kept sealed. */
export interface ConnectionGrant {
  /** The tokens are this client's, whatever the server is configured with by now. */
  readonly client: OAuthClientInformationMixed;
  readonly discovery: OAuthDiscoveryState;
  readonly tokens: OAuthTokens;
}

/** One whose tokens can be renewed without the person. */
export type RenewableGrant = ConnectionGrant & { readonly tokens: { readonly refresh_token: string } };

export function canRefresh(grant: ConnectionGrant): grant is RenewableGrant {
  return grant.tokens.refresh_token !== undefined;
}
