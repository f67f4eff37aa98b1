import type { OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import { ToolServerFailure } from '#libs/tooling';

/**
 * Metadata must name the authorization server that they were requested from (RFC 8414 3.3). Otherwise one server could
 * pose as another and receive its credentials (mix-up attack, RFC 9207). Throws a `ToolServerFailure`.
 *
 * @param isNamed true if the tenant or the tool server names the authorization server; if it is only assumed at the
 *   tool server's origin (MCP 2025-03-26), any issuer at that origin is accepted
 */
export function checkDiscovered(
  { authorizationServerUrl, authorizationServerMetadata: metadata }: OAuthDiscoveryState,
  isNamed = true,
): void {
  if (metadata === undefined || isSameIssuer(metadata.issuer, authorizationServerUrl)) return;
  const origin = URL.parse(metadata.issuer)?.origin;
  if (!isNamed && origin === new URL(authorizationServerUrl).origin) return;
  throw new ToolServerFailure(
    'protocol',
    'the authorization server names itself otherwise than it is known by',
  );
}

/**
 * True if an authorization response comes from the expected authorization server (RFC 9207 2.4).
 *
 * @param iss `iss` of the response; null if absent
 */
export function isAnswerOfIssuer(
  { authorizationServerMetadata: metadata }: OAuthDiscoveryState,
  iss: string | null,
): boolean {
  if (iss !== null) return metadata !== undefined && iss === metadata.issuer;
  return (
    metadata === undefined || Reflect.get(metadata, 'authorization_response_iss_parameter_supported') !== true
  );
}

/** Equal except for a trailing slash, which servers add or omit. */
function isSameIssuer(one: string, other: string): boolean {
  return withoutSlash(one) === withoutSlash(other);
}

function withoutSlash(url: string): string {
  return (URL.parse(url)?.href ?? url).replace(/\/$/, '');
}
