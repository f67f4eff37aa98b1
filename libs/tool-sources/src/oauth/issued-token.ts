import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { ToolServerFailure } from '#libs/tooling';

/** What an authorization server has issued. */
export interface IssuedToken {
  readonly accessToken: string;
  /** Milliseconds that it is good for, from now on. */
  readonly lifetimeMs: number;
}

/** Where the answer says nothing; a server that thinks otherwise answers 401. */
const USUAL_LIFETIME_MS = 600_000;
const LONGEST_LIFETIME_MS = 86_400_000;
/** It is replaced so long before its end, so that a request on its way still arrives in time. */
const MARGIN_MS = 30_000;

/** Throws a `ToolServerFailure` for what cannot be sent as a bearer token (RFC 6750 2.1). */
export function readIssued({
  access_token: accessToken,
  token_type: type,
  expires_in: seconds,
}: OAuthTokens): IssuedToken {
  const isBearer = type.toLowerCase() === 'bearer' && /^[\x21-\x7e]{1,16384}$/.test(accessToken);
  if (!isBearer) throw new ToolServerFailure('protocol', 'the authorization server issued no bearer token');
  const lifetimeMs = seconds === undefined ? USUAL_LIFETIME_MS : seconds * 1_000;
  return { accessToken, lifetimeMs: Math.min(Math.max(lifetimeMs, 0), LONGEST_LIFETIME_MS) };
}

/**
 * What was granted, as far as it can be kept and shown: null where the answer says nothing, or something else than a scope
 * (RFC 6749 3.3).
 */
export function readScope({ scope }: Pick<OAuthTokens, 'scope'>): string | null {
  return scope !== undefined && SCOPE.test(scope) ? scope : null;
}

const SCOPE = /^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,2048}$/;

/** Whether a token with so many milliseconds left is still given out. One that is short-lived anyhow is used up. */
export function isGood(remainingMs: number, lifetimeMs: number): boolean {
  return remainingMs > Math.min(MARGIN_MS, lifetimeMs / 4);
}
