import type { OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import { ToolServerFailure } from '#libs/tooling';

/**
 * Metadata have to name the authorization server that they were asked of (RFC 8414 3.3): else one server could pass for
 * another, and be sent what is meant for that (a mix-up, RFC 9207). Throws a `ToolServerFailure`.
 *
 * @param isNamed whether somebody has named the authorization server; where it is only taken to be at the origin of the
 *   tool server (MCP of 2025-03-26) it may have any name at that origin
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
 * Whether an answer that came with a person comes from the authorization server that they were sent to (RFC 9207 2.4).
 *
 * @param iss what the answer says; null where it says nothing
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

/** But for a slash at the end, which servers add and leave out. */
function isSameIssuer(one: string, other: string): boolean {
  return withoutSlash(one) === withoutSlash(other);
}

function withoutSlash(url: string): string {
  return (URL.parse(url)?.href ?? url).replace(/\/$/, '');
}
