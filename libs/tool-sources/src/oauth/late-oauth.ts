import type { readChallenge as ReadChallenge } from './challenge.js';
import type { fetchClientToken as FetchClientToken } from './client-credentials.js';
import type { askForConsent as AskForConsent, exchangeCode as ExchangeCode } from './consent.js';
import type { refreshGrant as RefreshGrant } from './refresh-grant.js';
import type { revokeGrant as RevokeGrant } from './revoke-grant.js';

/** Lazily loads the OAuth library, which most processes never need. */
export async function readChallenge(
  ...given: Parameters<typeof ReadChallenge>
): Promise<ReturnType<typeof ReadChallenge>> {
  return (await import('./challenge.js')).readChallenge(...given);
}

export async function fetchClientToken(
  ...given: Parameters<typeof FetchClientToken>
): ReturnType<typeof FetchClientToken> {
  return (await import('./client-credentials.js')).fetchClientToken(...given);
}

export async function askForConsent(
  ...given: Parameters<typeof AskForConsent>
): ReturnType<typeof AskForConsent> {
  return (await import('./consent.js')).askForConsent(...given);
}

export async function exchangeCode(
  ...given: Parameters<typeof ExchangeCode>
): ReturnType<typeof ExchangeCode> {
  return (await import('./consent.js')).exchangeCode(...given);
}

export async function refreshGrant(
  ...given: Parameters<typeof RefreshGrant>
): ReturnType<typeof RefreshGrant> {
  return (await import('./refresh-grant.js')).refreshGrant(...given);
}

export async function revokeGrant(...given: Parameters<typeof RevokeGrant>): ReturnType<typeof RevokeGrant> {
  return (await import('./revoke-grant.js')).revokeGrant(...given);
}
