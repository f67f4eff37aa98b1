import { refreshAuthorization } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthConfig } from '#libs/tooling';
import type { ConnectionGrant, RenewableGrant } from './connection-grant.js';
import { signedAssertionOf } from './known-client.js';
import { toOAuthFailure } from './oauth-failure.js';

/** The grant with new tokens; a refresh token that is not replaced stays. Rejects with a `ToolServerFailure`. */
export async function refreshGrant(
  config: OAuthConfig,
  grant: RenewableGrant,
  fetchFn: typeof fetch,
): Promise<ConnectionGrant> {
  const { client, discovery, tokens } = grant;
  const { authorizationServerMetadata: metadata, resourceMetadata } = discovery;
  const assertion = signedAssertionOf(config);
  try {
    const renewed = await refreshAuthorization(discovery.authorizationServerUrl, {
      ...{ clientInformation: client, fetchFn },
      refreshToken: tokens.refresh_token,
      ...(metadata !== undefined && { metadata }),
      ...(resourceMetadata !== undefined && { resource: resourceMetadata.resource }),
      ...(assertion !== null && { addClientAuthentication: assertion }),
    });
    // Without `scope` in the response, the scope is unchanged (RFC 6749 5.1).
    return { ...grant, tokens: { ...(tokens.scope !== undefined && { scope: tokens.scope }), ...renewed } };
  } catch (error) {
    throw toOAuthFailure(error);
  }
}
