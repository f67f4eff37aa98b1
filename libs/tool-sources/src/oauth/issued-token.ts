import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { ToolServerFailure } from '#libs/tooling';

/** An issued access token. */
export interface IssuedToken {
  readonly accessToken: string;
  /** Lifetime in milliseconds, from now. */
  readonly lifetimeMs: number;
}

/** Default lifetime in milliseconds; a token that expires earlier is rejected with 401 and renewed. */
const USUAL_LIFETIME_MS = 600_000;
const MAX_LIFETIME_MS = 86_400_000;
/** Milliseconds before expiry at which a token is replaced, so that requests under way still arrive in time. */
const MARGIN_MS = 30_000;

/** Throws a `ToolServerFailure` for an invalid bearer token (RFC 6750 2.1). */
export function readIssued({
  access_token: accessToken,
  token_type: type,
  expires_in: seconds,
}: OAuthTokens): IssuedToken {
  const isBearer = type.toLowerCase() === 'bearer' && /^[\x21-\x7e]{1,16384}$/.test(accessToken);
  if (!isBearer) throw new ToolServerFailure('protocol', 'the authorization server issued no bearer token');
  const lifetimeMs = seconds === undefined ? USUAL_LIFETIME_MS : seconds * 1_000;
  return { accessToken, lifetimeMs: Math.min(Math.max(lifetimeMs, 0), MAX_LIFETIME_MS) };
}

/** The granted scope; null if the response has none or a malformed one (RFC 6749 3.3). */
export function readScope({ scope }: Pick<OAuthTokens, 'scope'>): string | null {
  return scope !== undefined && SCOPE.test(scope) ? scope : null;
}

const SCOPE = /^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,2048}$/;

/**
 * True if the token's remaining lifetime exceeds the margin; short-lived tokens have a margin of a quarter of their
 * lifetime.
 */
export function isGood(remainingMs: number, lifetimeMs: number): boolean {
  return remainingMs > Math.min(MARGIN_MS, lifetimeMs / 4);
}
