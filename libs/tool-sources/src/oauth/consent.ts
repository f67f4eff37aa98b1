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

/** What an authorization server knows us by, with the secrets of it. */
export type RegisteredClient = OAuthClientInformationMixed;

/** What is kept, sealed, from when a person is sent to the authorization server until they are back. */
export interface PendingConsent {
  readonly client: OAuthClientInformationMixed;
  readonly discovery: OAuthDiscoveryState;
  /** RFC 7636. */
  readonly codeVerifier: string;
}

export interface AskedConsent {
  readonly pending: PendingConsent;
  /** Where a browser of the person has to go. */
  readonly authorizeUrl: string;
}

interface ConsentRequest {
  /** What the tokens will be for. */
  readonly serverUrl: string;
  readonly config: CodeConfig;
  /** A registration from earlier, where there is one. */
  readonly registered: OAuthClientInformationMixed | null;
  readonly challenge: Pick<AccessChallenge, 'scope' | 'resourceMetadata'> | null;
  /** Comes back with the answer: nobody can know it but whoever is sent there. */
  readonly state: string;
}

/**
 * Where a person is to be sent, so that they let us use a server on their behalf: the authorization server is looked up
 * and we are registered there where that is needed. Rejects with a `ToolServerFailure`.
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

/** The authorization server that the tenant names, else the one that the server does. */
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
  // Not every server describes itself.
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
 * What the server says that it needs, and leave to renew the tokens while nobody is there, where there is a scope for that
 * (OpenID Connect Core 11): agents work in the background.
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

/** Has the authorization server issue tokens for the code that a person came back with. Rejects as above. */
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

/** The client of one consent, as the library asks for it. */
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
    // Only who may register is given the means to.
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
    // A browser opens it: only what browsers fetch.
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
