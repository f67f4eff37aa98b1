import { selectClientAuthMethod } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthConfig } from '#libs/tooling';
import type { ConnectionGrant } from './connection-grant.js';
import { signedAssertionOf } from './known-client.js';
import { toOAuthFailure } from './oauth-failure.js';

/**
 * Revokes the tokens (RFC 7009), the refresh token first: most servers revoke the other one with it, but a server that
 * rejects one may accept the other. False unless the server accepts every revocation. Rejects with a `ToolServerFailure`.
 *
 * @param config null if it is no longer known; the request is then not signed
 */
export async function revokeGrant(
  config: OAuthConfig | null,
  grant: ConnectionGrant,
  fetchFn: typeof fetch,
): Promise<boolean> {
  const metadata = grant.discovery.authorizationServerMetadata;
  const endpoint = metadata === undefined ? undefined : readEndpoint(metadata);
  if (endpoint === undefined) return false;
  const { access_token: accessToken, refresh_token: refreshToken } = grant.tokens;
  const wanted = [
    ...(refreshToken === undefined ? [] : [[refreshToken, 'refresh_token'] as const]),
    [accessToken, 'access_token'] as const,
  ];
  let areAllTaken = true;
  try {
    for (const [token, hint] of wanted) {
      const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
      const body = new URLSearchParams({ token, token_type_hint: hint });
      await identify(config, grant, endpoint, headers, body);
      const answer = await fetchFn(endpoint, { method: 'POST', headers, body, redirect: 'manual' });
      await answer.body?.cancel().catch(() => undefined);
      areAllTaken &&= answer.ok;
    }
    return areAllTaken;
  } catch (error) {
    throw toOAuthFailure(error);
  }
}

function readEndpoint(metadata: object): URL | undefined {
  const endpoint: unknown = Reflect.get(metadata, 'revocation_endpoint');
  return (typeof endpoint === 'string' ? URL.parse(endpoint) : null) ?? undefined;
}

/** Client authentication as at the token endpoint (RFC 7009 2.1). */
async function identify(
  config: OAuthConfig | null,
  { client, discovery }: ConnectionGrant,
  endpoint: URL,
  headers: Headers,
  body: URLSearchParams,
): Promise<void> {
  const metadata = discovery.authorizationServerMetadata;
  const assertion = config === null ? null : signedAssertionOf(config);
  if (assertion !== null) return assertion(headers, body, endpoint, metadata);
  const { client_id: id, client_secret: secret } = client;
  const supported = metadata?.token_endpoint_auth_methods_supported ?? [];
  if (selectClientAuthMethod(client, supported) === 'client_secret_basic') {
    headers.set('authorization', `Basic ${Buffer.from(`${id}:${secret ?? ''}`).toString('base64')}`);
    return;
  }
  body.set('client_id', id);
  if (secret !== undefined) body.set('client_secret', secret);
}
