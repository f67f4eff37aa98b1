import type { FastifyRequest } from 'fastify';
import {
  hashApiKeySecret,
  isSecretOf,
  parseApiKey,
  type ApiKeyStore,
  type ConsoleSessionStore,
} from '#libs/persistence';
import { assertNever } from '#libs/kernel';
import type { Principal } from './access.js';
import { singleHeader } from './request-values.js';
import { parseSessionToken, readSessionCookie } from './session-cookie.js';
import { isTokenOf, parseStreamToken } from './stream-token.js';

/** The credential that a request presents. */
export type Credential =
  | { readonly kind: 'key'; readonly text: string }
  | { readonly kind: 'session'; readonly text: string }
  | { readonly kind: 'stream_token'; readonly text: string; readonly executionId: string };

/** Stores of the credentials. */
export interface CredentialStores {
  readonly keys: Pick<ApiKeyStore, 'find'>;
  readonly sessions: Pick<ConsoleSessionStore, 'find'>;
}

/** The authenticated principal; `isUseDue` says that the last use of the key should be recorded. */
export interface Found {
  readonly principal: Principal;
  readonly isUseDue: boolean;
}

const NO_HASH = hashApiKeySecret('');

/** The query parameter of a stream token. */
export const STREAM_TOKEN = 'stream_token';

/**
 * The credential of a request; null without one. Keys come as bearer tokens, or for the documents as the password of `Basic`
 * with any user name, since people open them in a browser. Stream tokens come in the query, on routes that accept them.
 * A browser sends the cookie of a session by itself, so a credential that was sent on purpose goes before it.
 */
export function readCredential(
  request: Pick<FastifyRequest, 'headers' | 'query' | 'params' | 'routeOptions'>,
): Credential | null {
  const authorization = singleHeader(request, 'authorization') ?? '';
  const { takesPasswords = false, takesStreamTokens = false } = request.routeOptions.config;
  const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (bearer !== undefined) return { kind: 'key', text: bearer };
  const basic = takesPasswords ? /^Basic +(\S+)$/i.exec(authorization)?.[1] : undefined;
  if (basic !== undefined) return { kind: 'key', text: passwordOf(basic) };
  const token = takesStreamTokens ? (request.query as Record<string, unknown>)[STREAM_TOKEN] : undefined;
  if (token !== undefined) {
    const { id = '' } = request.params as { id?: string };
    return { kind: 'stream_token', text: typeof token === 'string' ? token : '', executionId: id };
  }
  const cookie = readSessionCookie(request);
  return cookie === null ? null : { kind: 'session', text: cookie };
}

function passwordOf(basic: string): string {
  const pair = Buffer.from(basic, 'base64').toString();
  return pair.slice(pair.indexOf(':') + 1);
}

/** The principal of the credential, or the reason for its refusal. */
export function findPrincipal(
  { keys, sessions }: CredentialStores,
  credential: Credential,
  now: number,
): Promise<Found | string> {
  switch (credential.kind) {
    case 'key':
      return findByKey(keys, credential.text);
    case 'session':
      return findBySession(sessions, credential.text);
    case 'stream_token':
      return findByToken(keys, credential.text, credential.executionId, now);
    default:
      return assertNever(credential);
  }
}

const SESSION_NOT_VALID = 'the session has ended; sign in again';

/** The principal of a session is that of the key that it was signed in with, as long as that is usable. */
async function findBySession(sessions: CredentialStores['sessions'], text: string): Promise<Found | string> {
  const token = parseSessionToken(text);
  if (token === null) return SESSION_NOT_VALID;
  const stored = await sessions.find(token.id);
  const isSecretRight = isSecretOf(token.secret, stored?.tokenSha256 ?? NO_HASH);
  if (stored === null || !isSecretRight) return SESSION_NOT_VALID;
  const { tenantId, keyId, scopes, isUseDue } = stored;
  return { principal: { tenantId, keyId, scopes, sessionId: token.id }, isUseDue };
}

const KEY_NOT_VALID = 'the API key is not valid';

/** The principal of a key, or the reason for its refusal. */
export async function findByKey(keys: Pick<ApiKeyStore, 'find'>, text: string): Promise<Found | string> {
  const key = parseApiKey(text);
  if (key === null) return KEY_NOT_VALID;
  const stored = await keys.find(key.id);
  // Compared also for an unknown id, so that the time taken reveals nothing.
  const isSecretRight = isSecretOf(key.secret, stored?.secretSha256 ?? NO_HASH);
  if (stored === null || !isSecretRight) return KEY_NOT_VALID;
  const { tenantId, scopes, isUseDue } = stored;
  return { principal: { tenantId, keyId: key.id, scopes }, isUseDue };
}

const TOKEN_NOT_VALID = 'the stream token is not valid for this execution, or has expired; get another one';

/** Grants only `executions:read` on the token's own execution. */
async function findByToken(
  keys: Pick<ApiKeyStore, 'find'>,
  text: string,
  executionId: string,
  now: number,
): Promise<Found | string> {
  const token = parseStreamToken(text);
  if (token === null || token.expiresAt * 1_000 <= now) return TOKEN_NOT_VALID;
  const stored = await keys.find(token.keyId);
  const isRight = isTokenOf(token, stored?.secretSha256 ?? NO_HASH, executionId);
  if (stored === null || !isRight || !stored.scopes.includes('executions:read')) return TOKEN_NOT_VALID;
  const principal = { tenantId: stored.tenantId, keyId: token.keyId, scopes: ['executions:read'] };
  return { principal, isUseDue: stored.isUseDue };
}
