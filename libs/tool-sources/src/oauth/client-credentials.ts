import {
  auth,
  type AddClientAuthentication,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/sdk/client/auth.js';
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import type { AccessChallenge, OAuthConfig } from '#libs/tooling';
import { checkDiscovered } from './check-discovered.js';
import { clientInformationOf, signedAssertionOf } from './known-client.js';
import { readIssued, type IssuedToken } from './issued-token.js';
import { toOAuthFailure } from './oauth-failure.js';

export type ClientCredentials = Extract<OAuthConfig, { readonly grant: 'client_credentials' }>;

/**
 * Requests a token for ourselves as client (RFC 6749 4.4), restricted to the server if its metadata names a resource
 * (RFC 8707). Rejects with a `ToolServerFailure`.
 *
 * @param serverUrl the server that the token is for
 * @param challenge the server's rejection, if any
 */
export async function fetchClientToken(
  serverUrl: string,
  config: ClientCredentials,
  challenge: AccessChallenge | null,
  fetchFn: typeof fetch,
): Promise<IssuedToken> {
  const client = new CredentialedClient(config, config.scope ?? challenge?.scope ?? undefined);
  const resourceMetadata = URL.parse(challenge?.resourceMetadata ?? '');
  try {
    await auth(client, {
      serverUrl,
      fetchFn,
      ...(resourceMetadata !== null && { resourceMetadataUrl: resourceMetadata }),
    });
    return readIssued(client.issued());
  } catch (error) {
    throw toOAuthFailure(error);
  }
}

/** A pre-registered client, for one exchange with its configured authorization server. */
class CredentialedClient implements OAuthClientProvider {
  readonly redirectUrl = undefined;
  readonly clientMetadata: OAuthClientMetadata;
  readonly addClientAuthentication?: AddClientAuthentication;
  private saved: OAuthTokens | null = null;

  constructor(
    private readonly config: ClientCredentials,
    scope: string | undefined,
  ) {
    this.clientMetadata = {
      redirect_uris: [],
      grant_types: ['client_credentials'],
      ...(scope !== undefined && { scope }),
    };
    const assertion = signedAssertionOf(config);
    if (assertion !== null) this.addClientAuthentication = assertion;
  }

  issued(): OAuthTokens {
    if (this.saved === null) throw new Error('the library has saved no tokens');
    return this.saved;
  }

  clientInformation(): OAuthClientInformationMixed {
    return clientInformationOf(this.config);
  }

  discoveryState(): OAuthDiscoveryState {
    return { authorizationServerUrl: this.config.issuer };
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    checkDiscovered(state);
  }

  prepareTokenRequest(scope?: string): URLSearchParams {
    return new URLSearchParams({
      grant_type: 'client_credentials',
      ...(scope !== undefined && { scope }),
    });
  }

  tokens(): undefined {
    return undefined;
  }

  saveTokens(tokens: OAuthTokens): void {
    this.saved = tokens;
  }

  redirectToAuthorization(): never {
    throw new Error('client credentials need no user');
  }

  saveCodeVerifier(): never {
    throw new Error('there is no code');
  }

  codeVerifier(): never {
    throw new Error('there is no code');
  }
}
