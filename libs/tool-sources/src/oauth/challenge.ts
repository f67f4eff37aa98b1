import { extractWWWAuthenticateParams } from '@modelcontextprotocol/sdk/client/auth.js';
import type { AccessChallenge } from '#libs/tooling';

/**
 * What an answer says about the token that it was asked with; null where it says nothing against it. A 403 that does not
 * speak of scopes (RFC 6750 3.1) means somebody who may not do this, whatever the token.
 */
export function readChallenge(answer: Response): AccessChallenge | null {
  if (answer.status !== 401 && answer.status !== 403) return null;
  const { scope, error, resourceMetadataUrl } = extractWWWAuthenticateParams(answer);
  if (answer.status === 403 && error !== 'insufficient_scope') return null;
  return { status: answer.status, scope: scope ?? null, resourceMetadata: resourceMetadataUrl?.href ?? null };
}
