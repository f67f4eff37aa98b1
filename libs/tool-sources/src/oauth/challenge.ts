import { extractWWWAuthenticateParams } from '@modelcontextprotocol/sdk/client/auth.js';
import type { AccessChallenge } from '#libs/tooling';

/**
 * The rejection of a request's token; null if the token is not at fault. A 403 without `insufficient_scope` (RFC 6750
 * 3.1) means missing permission, regardless of the token.
 */
export function readChallenge(answer: Response): AccessChallenge | null {
  if (answer.status !== 401 && answer.status !== 403) return null;
  const { scope, error, resourceMetadataUrl } = extractWWWAuthenticateParams(answer);
  if (answer.status === 403 && error !== 'insufficient_scope') return null;
  return { status: answer.status, scope: scope ?? null, resourceMetadata: resourceMetadataUrl?.href ?? null };
}
