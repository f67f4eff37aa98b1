import { refreshAuthorization, type OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { OAuthConfig } from '#libs/tooling';
import { signedAssertionOf } from './known-client.js';
import { toOAuthFailure } from './oauth-failure.js';

/** What a person has let us have, and as whom: all that is needed to use, renew and revoke it. Kept sealed. */
export interface ConnectionGrant {
  /** The tokens are this client's, whatever the server is configured with by now. */
  readonly client: OAuthClientInformationMixed;
  readonly discovery: OAuthDiscoveryState;
  readonly tokens: OAuthTokens;
}

/** The same with new tokens; a refresh token that is not replaced stays. Rejects with a `ToolServerFailure`. */
export async function refreshGrant(
  config: OAuthConfig,
  grant: ConnectionGrant & { readonly tokens: { readonly refresh_token: string } },
  fetchFn: typeof fetch,
): Promise<ConnectionGrant> {
  const { client, discovery, tokens } = grant;
  const assertion = signedAssertionOf(config);
  try {
    const renewed = await refreshAuthorization(discovery.authorizationServerUrl, {
      ...{ metadata: discovery.authorizationServerMetadata, clientInformation: client, fetchFn },
      refreshToken: tokens.refresh_token,
      ...(discovery.resourceMetadata !== undefined && { resource: discovery.resourceMetadata.resource }),
      ...(assertion !== null && { addClientAuthentication: assertion }),
    });
    // RFC 6749 5.1: without a scope in the answer it is what it was.
    return { ...grant, tokens: { ...(tokens.scope !== undefined && { scope: tokens.scope }), ...renewed } };
  } catch (error) {
    throw toOAuthFailure(error);
  }
}

export function canRefresh(
  grant: ConnectionGrant,
): grant is ConnectionGrant & { readonly tokens: { readonly refresh_token: string } } {
  return grant.tokens.refresh_token !== undefined;
}
