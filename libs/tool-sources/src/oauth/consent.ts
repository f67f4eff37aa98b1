import {
  auth,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  discoverOAuthServerInfo,
  type AddClientAuthentication,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/sdk/client/auth.js';
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import { ToolServerFailure, type AccessChallenge, type OAuthConfig } from '#libs/tooling';
import { checkDiscovered } from './check-discovered.js';
import type { ConnectionGrant } from './connection-grant.js';
import { clientInformationOf, signedAssertionOf } from './known-client.js';
import { toOAuthFailure } from './oauth-failure.js';

export type CodeConfig = Extract<OAuthConfig, { readonly grant: 'authorization_code' }>;

/** Client id and secrets at an authorization server. */
export type RegisteredClient = OAuthClientInformationMixed;

/** State of a consent, stored encrypted while the person is at the authorization server. */
export interface PendingConsent {
  readonly client: OAuthClientInformationMixed;
  readonly discovery: OAuthDiscoveryState;
  /** RFC 7636. */
  readonly codeVerifier: string;
}

export interface AskedConsent {
  readonly pending: PendingConsent;
  /** URL that the person's browser must open. */
  readonly authorizeUrl: string;
}

interface ConsentRequest {
  /** URL of the tool server. */
  readonly serverUrl: string;
  readonly config: CodeConfig;
  /** An earlier registration, or null. */
  readonly registered: OAuthClientInformationMixed | null;
  readonly challenge: Pick<AccessChallenge, 'scope' | 'resourceMetadata'> | null;
  /** Unguessable `state`, returned with the authorization response. */
  readonly state: string;
}

/**
 * Prepares the consent of a person: discovers the authorization server, registers the client if needed, and returns the
 * URL to open. Rejects with a `ToolServerFailure`.
 */
export async function askForConsent(asked: ConsentRequest, fetchFn: typeof fetch): Promise<AskedConsent> {
  const { serverUrl, config, registered, challenge, state } = asked;
  try {
    const discovery = await discover(serverUrl, config, challenge?.resourceMetadata ?? null, fetchFn);
    const client = new ConsentedClient(config, { registered, state, discovery });
    const scope = config.scope ?? scopeToAsk(challenge?.scope ?? null, discovery);
    await auth(client, { serverUrl, fetchFn, ...(scope !== undefined && { scope }) });
    return client.asked();
  } catch (error) {
    throw toOAuthFailure(error);
  }
}

/** Finds the authorization server: configured by the tenant, else named by the tool server. */
async function discover(
  serverUrl: string,
  { issuer }: CodeConfig,
  resourceMetadata: string | null,
  fetchFn: typeof fetch,
): Promise<OAuthDiscoveryState> {
  const resourceMetadataUrl = URL.parse(resourceMetadata ?? '') ?? undefined;
  const described = resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl };
  const found =
    issuer === undefined
      ? await discoverOAuthServerInfo(serverUrl, { ...described, fetchFn })
      : await lookUp(issuer, serverUrl, described, fetchFn);
  checkDiscovered(found, isNamed(issuer, found));
  return {
    ...found,
    ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl: resourceMetadataUrl.href }),
  };
}

async function lookUp(
  issuer: string,
  serverUrl: string,
  described: { readonly resourceMetadataUrl?: URL },
  fetchFn: typeof fetch,
): Promise<OAuthDiscoveryState> {
  const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn });
  // Servers without metadata are allowed.
  const resource = await discoverOAuthProtectedResourceMetadata(serverUrl, described, fetchFn).catch(
    () => null,
  );
  return {
    authorizationServerUrl: issuer,
    ...(metadata !== undefined && { authorizationServerMetadata: metadata }),
    ...(resource !== null && { resourceMetadata: resource }),
  };
}

function isNamed(issuer: string | undefined, { resourceMetadata }: OAuthDiscoveryState): boolean {
  return issuer !== undefined || (resourceMetadata?.authorization_servers ?? []).length > 0;
}

/**
 * The scope that the server requires, plus `offline_access` if supported (OpenID Connect Core 11), because agents
 * refresh tokens without the person.
 */
function scopeToAsk(
  needed: string | null,
  { resourceMetadata, authorizationServerMetadata }: OAuthDiscoveryState,
): string | undefined {
  const scope = needed ?? resourceMetadata?.scopes_supported?.join(' ') ?? '';
  const words = scope.split(' ').filter((word) => word !== '');
  const isOffered = authorizationServerMetadata?.scopes_supported?.includes(OFFLINE) === true;
  if (isOffered && !words.includes(OFFLINE)) words.push(OFFLINE);
  return words.length === 0 ? undefined : words.join(' ');
}

const OFFLINE = 'offline_access';

/** Exchanges the authorization code for tokens. Rejects with a `ToolServerFailure`. */
export async function exchangeCode(
  serverUrl: string,
  config: CodeConfig,
  pending: PendingConsent,
  code: string,
  fetchFn: typeof fetch,
): Promise<ConnectionGrant> {
  const client = new ConsentedClient(config, { pending });
  try {
    await auth(client, { serverUrl, fetchFn, authorizationCode: code });
    return { client: pending.client, discovery: pending.discovery, tokens: client.issued() };
  } catch (error) {
    throw toOAuthFailure(error);
  }
}

interface Known {
  readonly registered?: OAuthClientInformationMixed | null;
  readonly state?: string;
  readonly discovery?: OAuthDiscoveryState;
  readonly pending?: PendingConsent;
}

/** The library's client interface for one consent. */
class ConsentedClient implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata;
  readonly clientMetadataUrl?: string;
  readonly addClientAuthentication?: AddClientAuthentication;
  readonly saveClientInformation?: (client: OAuthClientInformationMixed) => void;
  private client: OAuthClientInformationMixed | undefined;
  private discovery: OAuthDiscoveryState | undefined;
  private verifier: string | undefined;
  private authorizeUrl: URL | undefined;
  private saved: OAuthTokens | undefined;

  constructor(
    private readonly config: CodeConfig,
    private readonly known: Known,
  ) {
    this.redirectUrl = config.redirect_uri;
    this.client = known.pending?.client ?? known.registered ?? undefined;
    this.discovery = known.pending?.discovery ?? known.discovery;
    this.verifier = known.pending?.codeVerifier;
    this.clientMetadata = {
      ...{ client_name: 'Capstan', redirect_uris: [config.redirect_uri], response_types: ['code'] },
      ...{ grant_types: ['authorization_code', 'refresh_token'], token_endpoint_auth_method: 'none' },
      ...(config.scope !== undefined && { scope: config.scope }),
    };
    const assertion = signedAssertionOf(config);
    if (assertion !== null) this.addClientAuthentication = assertion;
    if (config.client_auth !== 'registered') {
      this.client ??= clientInformationOf(config);
      return;
    }
    if (config.client_metadata_url !== undefined) this.clientMetadataUrl = config.client_metadata_url;
    // Set only if dynamic registration is allowed: the library registers only clients with this method.
    this.saveClientInformation = (client) => {
      this.client = client;
    };
  }

  asked(): AskedConsent {
    const { client, discovery, verifier, authorizeUrl } = this;
    if (
      client === undefined ||
      discovery === undefined ||
      verifier === undefined ||
      authorizeUrl === undefined
    )
      throw new Error('the library has asked for no consent');
    // Browsers open this URL, so other schemes are rejected.
    if (authorizeUrl.protocol !== 'https:' && authorizeUrl.protocol !== 'http:')
      throw new ToolServerFailure('protocol', 'the authorization server leads to no web page');
    return { pending: { client, discovery, codeVerifier: verifier }, authorizeUrl: authorizeUrl.href };
  }

  issued(): OAuthTokens {
    if (this.saved === undefined) throw new Error('the library has saved no tokens');
    return this.saved;
  }

  state(): string {
    return this.known.state ?? '';
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.client;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.discovery;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    checkDiscovered(state, isNamed(this.config.issuer, state));
    this.discovery = state;
  }

  tokens(): undefined {
    return undefined;
  }

  saveTokens(tokens: OAuthTokens): void {
    this.saved = tokens;
  }

  redirectToAuthorization(url: URL): void {
    this.authorizeUrl = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }

  codeVerifier(): string {
    if (this.verifier === undefined) throw new Error('no consent was asked for');
    return this.verifier;
  }
}
